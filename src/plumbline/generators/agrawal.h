// The loan applicants of Agrawal, Imielinski & Swami ("Database mining: a performance perspective",
// IEEE TKDE 5(6), 1993).
//
//   salary      uniform on [20000, 150000)
//   commission  0 from a salary of 75000 on, else uniform on [10000, 75000)
//   age         20, …, 80
//   elevel      0, …, 4: level of education
//   car         1, …, 20: make of the car
//   zipcode     1, …, 9
//   hvalue      value of the house: uniform on 100000 k [0.5, 1.5) with k = 10 - zipcode
//   hyears      1, …, 30: years that the house has been owned
//   loan        uniform on [0, 500000)
//
// One of ten functions assigns an applicant to group A (positive) or group B. Afterwards the six
// quantities (not the codes elevel, car and zipcode) are perturbed: each moves by up to
// `perturbation` times the width of its range, up or down, and stays within it; age and hyears are
// rounded, and a commission of 0 stays 0. `balanced` first draws the group by a fair coin and then
// draws applicants until one belongs to it.
//
// As in MOA, the disposable income of functions 7 to 10 is 2/3 of the pay less deductions, and a value
// moves by up to ± the whole factor (which MOA has from the authors' program). Unlike in MOA, a
// perturbed hvalue is not cut off at 135000 (a missing digit there), group A is the positive one (MOA:
// class 0), and balanced groups come at random instead of alternating. Example i is a pure function of
// the seed and i; the stream has no end. Cost: 9 draws and 6 for the perturbation; if balanced, 9 for
// each rejected applicant (hundreds for group B of function 10, to which 2 in 1000 belong).
#pragma once

#include <cstdint>

#include "plumbline/generators/generator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Agrawal : public Generator {
 public:
  struct Params {
    std::int64_t function = 1;
    double perturbation = 0.05;
    bool balanced = false;
    void visit(OptionVisitor& visitor);
  };

  struct Applicant {
    double salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan;
  };
  // Functions 1 to 10 of the paper.
  static bool in_group_a(std::int64_t function, const Applicant& applicant);

  Agrawal(const Params& params, std::uint64_t seed);

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;
  Params params_;
};

}  // namespace plumbline::inline v0
