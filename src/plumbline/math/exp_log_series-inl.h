// The series of portable_math.h, for scalars and vectors. This file is included inside a namespace, once for scalars
// and once for each instruction set, so it has no include guard.

// e^r for |r| <= ln(2)/2: the first 14 terms of its series.
template <class V, class Constant>
V exp_series(V r, const Constant& c) {
  const V r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const V p1 = c(1.0 / 2) + r * c(1.0 / 6);
  const V p2 = c(1.0 / 24) + r * c(1.0 / 120), p3 = c(1.0 / 720) + r * c(1.0 / 5040);
  const V p4 = c(1.0 / 40320) + r * c(1.0 / 362880), p5 = c(1.0 / 3628800) + r * c(1.0 / 39916800);
  const V p6 = c(1.0 / 479001600) + r * c(1.0 / 6227020800);
  return c(1.0) + (((r + r2 * p1) + r4 * (p2 + r2 * p3)) + r8 * ((p4 + r2 * p5) + r4 * p6));
}

// (ln m - 2 s)/s^3 for s = (m - 1)/(m + 1), z = s^2 <= 0.0295: eleven terms of 2 artanh s.
template <class V, class Constant>
V log_series(V z, const Constant& c) {
  const V z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
  const V p0 = c(2.0 / 3) + z * c(2.0 / 5), p1 = c(2.0 / 7) + z * c(2.0 / 9);
  const V p2 = c(2.0 / 11) + z * c(2.0 / 13), p3 = c(2.0 / 15) + z * c(2.0 / 17);
  const V p4 = c(2.0 / 19) + z * c(2.0 / 21);
  return ((p0 + z2 * p1) + z4 * (p2 + z2 * p3)) + z8 * (p4 + z2 * c(2.0 / 23));
}
