#include "plumbline/generators/agrawal.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

using Applicant = Agrawal::Applicant;

struct Interval {
  double low, high;
  bool holds(double value) const { return low <= value && value <= high; }
};
// One entry per age group: below 40, from 40 to 59, from 60 on.
using ByAge = std::array<Interval, 3>;

constexpr ByAge kPay{{{50e3, 100e3}, {75e3, 125e3}, {25e3, 75e3}}};
constexpr ByAge kLevels{{{0, 1}, {1, 3}, {2, 4}}};
constexpr ByAge kPayWithinLevels{{{25e3, 75e3}, {50e3, 100e3}, {50e3, 100e3}}};
constexpr ByAge kLoanWithinPay{{{100e3, 300e3}, {200e3, 400e3}, {300e3, 500e3}}};
constexpr ByAge kLoanOutsidePay{{{200e3, 400e3}, {300e3, 500e3}, {100e3, 300e3}}};

constexpr Interval kSalary{20e3, 150e3}, kCommission{10e3, 75e3}, kAge{20, 80}, kYears{1, 30},
    kLoan{0, 500e3};

Interval house_values(double zipcode) {
  const double k = 10 - zipcode;
  return {0.5e5 * k, 1.5e5 * k};
}

double draw(Interval interval, Rng& rng) {
  return interval.low + (interval.high - interval.low) * rng.uniform();
}

double draw_integer(double low, double high, Rng& rng) {
  return low + static_cast<double>(rng.below(static_cast<std::uint64_t>(high - low) + 1));
}

Applicant draw_applicant(Rng& rng) {
  Applicant a{};
  a.salary = draw(kSalary, rng);
  a.commission = a.salary >= 75e3 ? 0 : draw(kCommission, rng);
  a.age = draw_integer(kAge.low, kAge.high, rng);
  a.elevel = draw_integer(0, 4, rng);
  a.car = draw_integer(1, 20, rng);
  a.zipcode = draw_integer(1, 9, rng);
  a.hvalue = draw(house_values(a.zipcode), rng);
  a.hyears = draw_integer(kYears.low, kYears.high, rng);
  a.loan = draw(kLoan, rng);
  return a;
}

void perturb(Applicant& a, double factor, Rng& rng) {
  const auto moved = [&](double value, Interval range) {
    const double step = factor * (range.high - range.low) * (2 * rng.uniform() - 1);
    return std::clamp(value + step, range.low, range.high);
  };
  a.salary = moved(a.salary, kSalary);
  if (a.commission > 0) a.commission = moved(a.commission, kCommission);
  a.age = std::round(moved(a.age, kAge));
  a.hvalue = moved(a.hvalue, house_values(a.zipcode));
  a.hyears = std::round(moved(a.hyears, kYears));
  a.loan = moved(a.loan, kLoan);
}

}  // namespace

bool Agrawal::in_group_a(std::int64_t function, const Applicant& a) {
  const std::size_t age = a.age < 40 ? 0 : a.age < 60 ? 1 : 2;
  const double pay = a.salary + a.commission;
  const double schooling = 5000 * a.elevel;
  const double equity = a.hvalue * std::max(a.hyears - 20, 0.0) / 10;
  switch (function) {
    case 1:
      return age != 1;
    case 2:
      return kPay[age].holds(a.salary);
    case 3:
      return kLevels[age].holds(a.elevel);
    case 4:
      return (kLevels[age].holds(a.elevel) ? kPayWithinLevels : kPay)[age].holds(a.salary);
    case 5:
      return (kPay[age].holds(a.salary) ? kLoanWithinPay : kLoanOutsidePay)[age].holds(a.loan);
    case 6:
      return kPay[age].holds(pay);
    // The disposable income must be positive.
    case 7:
      return 2 * pay / 3 - a.loan / 5 - 20e3 > 0;
    case 8:
      return 2 * pay / 3 - schooling - 20e3 > 0;
    case 9:
      return 2 * pay / 3 - schooling - a.loan / 5 - 10e3 > 0;
    default:
      assert(function == 10);
      return 2 * pay / 3 - schooling + equity / 5 - 10e3 > 0;
  }
}

void Agrawal::Params::visit(OptionVisitor& visitor) {
  visitor.integer("function", function, Range::closed(1, 10),
                  "function of the paper that separates group A from group B");
  visitor.real("perturbation", perturbation, Range::closed(0, 1),
               "largest change of a value after labelling, as a share of its range");
  visitor.flag("balanced", balanced, "make both groups equally likely");
}

Agrawal::Agrawal(const Params& params, std::uint64_t seed)
    : Generator({.features = {"salary", "commission", "age", "elevel", "car", "zipcode", "hvalue",
                              "hyears", "loan"},
                 .label = "group",
                 .negative = "B",
                 .positive = "A"},
                seed),
      params_(params) {}

Label Agrawal::draw(Rng& rng, std::uint64_t, std::span<double> x) {
  const bool wanted = params_.balanced && rng.below(2) == 1;
  Applicant a = draw_applicant(rng);
  bool positive = in_group_a(params_.function, a);
  while (params_.balanced && positive != wanted) {
    a = draw_applicant(rng);
    positive = in_group_a(params_.function, a);
  }
  if (params_.perturbation > 0) perturb(a, params_.perturbation, rng);
  const std::array<double, 9> values{a.salary,  a.commission, a.age,    a.elevel, a.car,
                                     a.zipcode, a.hvalue,     a.hyears, a.loan};
  std::ranges::copy(values, x.begin());
  return static_cast<Label>(positive);
}

}  // namespace plumbline::inline v0
