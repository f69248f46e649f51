#include "plumbline/generators/agrawal.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "plumbline/generators/registry.h"
#include "tests/support.h"

namespace plumbline::agrawal_test {
namespace {

using Applicant = Agrawal::Applicant;

Applicant applicant(std::span<const double> x) {
  return {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]};
}

Spec agrawal(std::int64_t function, double perturbation) {
  return Spec("agrawal").set("function", function).set("perturbation", perturbation);
}

// A row worked out by hand: what differs from this applicant, and the group.
constexpr Applicant kUsual{.salary = 60e3,
                           .commission = 20e3,
                           .age = 30,
                           .elevel = 1,
                           .car = 1,
                           .zipcode = 1,
                           .hvalue = 500e3,
                           .hyears = 25,
                           .loan = 150e3};

bool by_age(std::int64_t function, double age) {
  Applicant a = kUsual;
  a.age = age;
  return Agrawal::in_group_a(function, a);
}
bool by_salary(std::int64_t function, double age, double salary, double elevel = 1) {
  Applicant a = kUsual;
  a.age = age, a.salary = salary, a.elevel = elevel;
  return Agrawal::in_group_a(function, a);
}
bool by_loan(double age, double salary, double loan) {
  Applicant a = kUsual;
  a.age = age, a.salary = salary, a.loan = loan;
  return Agrawal::in_group_a(5, a);
}

TEST(Agrawal, Function1AsksForTheAge) {
  EXPECT_TRUE(by_age(1, 39) && by_age(1, 60));
  EXPECT_FALSE(by_age(1, 40) || by_age(1, 59));
}

TEST(Agrawal, Function2AsksForTheSalaryByAge) {
  EXPECT_TRUE(by_salary(2, 39, 50000) && by_salary(2, 39, 100000));
  EXPECT_FALSE(by_salary(2, 39, 49999) || by_salary(2, 39, 100001));
  EXPECT_TRUE(by_salary(2, 40, 75000) && by_salary(2, 59, 125000));
  EXPECT_FALSE(by_salary(2, 40, 74999) || by_salary(2, 59, 125001));
  EXPECT_TRUE(by_salary(2, 60, 25000) && by_salary(2, 60, 75000));
  EXPECT_FALSE(by_salary(2, 60, 24999) || by_salary(2, 60, 75001));
}

TEST(Agrawal, Function3AsksForTheEducationByAge) {
  const bool in_a[3][5] = {{true, true, false, false, false},
                           {false, true, true, true, false},
                           {false, false, true, true, true}};
  for (int group = 0; group < 3; ++group) {
    for (int elevel = 0; elevel < 5; ++elevel) {
      EXPECT_EQ(by_salary(3, 30 + 15 * group, 60000, elevel), in_a[group][elevel])
          << group << " " << elevel;
    }
  }
}

TEST(Agrawal, Function4AsksForTheSalaryByAgeAndEducation) {
  EXPECT_TRUE(by_salary(4, 30, 25000, 1) && by_salary(4, 30, 75000, 0));
  EXPECT_FALSE(by_salary(4, 30, 24999, 1) || by_salary(4, 30, 75001, 0));
  EXPECT_TRUE(by_salary(4, 30, 50000, 2) && by_salary(4, 30, 100000, 4));
  EXPECT_FALSE(by_salary(4, 30, 49999, 2) || by_salary(4, 30, 100001, 4));
  EXPECT_TRUE(by_salary(4, 45, 50000, 1) && by_salary(4, 45, 100000, 3));
  EXPECT_FALSE(by_salary(4, 45, 49999, 1) || by_salary(4, 45, 100001, 3));
  EXPECT_TRUE(by_salary(4, 45, 75000, 0) && by_salary(4, 45, 125000, 4));
  EXPECT_FALSE(by_salary(4, 45, 74999, 0) || by_salary(4, 45, 125001, 4));
  EXPECT_TRUE(by_salary(4, 60, 50000, 2) && by_salary(4, 60, 100000, 4));
  EXPECT_FALSE(by_salary(4, 60, 49999, 2) || by_salary(4, 60, 100001, 4));
  EXPECT_TRUE(by_salary(4, 60, 25000, 0) && by_salary(4, 60, 75000, 1));
  EXPECT_FALSE(by_salary(4, 60, 24999, 0) || by_salary(4, 60, 75001, 1));
}

TEST(Agrawal, Function5AsksForTheLoanByAgeAndSalary) {
  EXPECT_TRUE(by_loan(30, 60000, 100000) && by_loan(30, 60000, 300000));
  EXPECT_FALSE(by_loan(30, 60000, 99999) || by_loan(30, 60000, 300001));
  EXPECT_TRUE(by_loan(30, 40000, 200000) && by_loan(30, 40000, 400000));
  EXPECT_FALSE(by_loan(30, 40000, 199999) || by_loan(30, 40000, 400001));
  EXPECT_TRUE(by_loan(45, 80000, 200000) && by_loan(45, 80000, 400000));
  EXPECT_FALSE(by_loan(45, 80000, 199999) || by_loan(45, 80000, 400001));
  EXPECT_TRUE(by_loan(45, 60000, 300000) && by_loan(45, 60000, 500000));
  EXPECT_FALSE(by_loan(45, 60000, 299999));
  EXPECT_TRUE(by_loan(65, 50000, 300000) && by_loan(65, 50000, 500000));
  EXPECT_FALSE(by_loan(65, 50000, 299999));
  EXPECT_TRUE(by_loan(65, 80000, 100000) && by_loan(65, 80000, 300000));
  EXPECT_FALSE(by_loan(65, 80000, 99999) || by_loan(65, 80000, 300001));
}

TEST(Agrawal, Function6AddsTheCommissionOf20000) {
  EXPECT_TRUE(by_salary(6, 30, 30000) && by_salary(6, 30, 80000));
  EXPECT_FALSE(by_salary(6, 30, 29999) || by_salary(6, 30, 80001));
  EXPECT_TRUE(by_salary(6, 45, 55000) && by_salary(6, 45, 105000));
  EXPECT_FALSE(by_salary(6, 45, 54999) || by_salary(6, 45, 105001));
  EXPECT_TRUE(by_salary(6, 60, 20000) && by_salary(6, 60, 55000));
  EXPECT_FALSE(by_salary(6, 60, 4999) || by_salary(6, 60, 55001));
}

// Each pair of rows is on either side of a disposable income of exactly 0.
TEST(Agrawal, Functions7To10AskForTheDisposableIncome) {
  Applicant a = kUsual;
  a.salary = 40000;  // 2/3 (40000 + 20000) - 20000 = 20000, a fifth of 100000
  a.loan = 99999;
  EXPECT_TRUE(Agrawal::in_group_a(7, a));
  a.loan = 100000;
  EXPECT_FALSE(Agrawal::in_group_a(7, a));

  a.salary = 25000;  // 2/3 (25000 + 20000) - 20000 = 10000, two levels
  a.elevel = 1;
  EXPECT_TRUE(Agrawal::in_group_a(8, a));
  a.elevel = 2;
  EXPECT_FALSE(Agrawal::in_group_a(8, a));

  a.salary = 40000;  // 2/3 (40000 + 20000) - 3 5000 - 10000 = 15000, a fifth of 75000
  a.elevel = 3;
  a.loan = 74999;
  EXPECT_TRUE(Agrawal::in_group_a(9, a));
  a.loan = 75000;
  EXPECT_FALSE(Agrawal::in_group_a(9, a));

  a.salary = 10000;  // 2/3 (10000 + 20000) - 4 5000 - 10000 = -10000
  a.elevel = 4;
  a.hyears = 22;  // equity 100000, of which a fifth is 20000
  EXPECT_TRUE(Agrawal::in_group_a(10, a));
  a.hyears = 21;  // equity 50000, of which a fifth is 10000
  EXPECT_FALSE(Agrawal::in_group_a(10, a));
  a.elevel = 1;
  a.hyears = 5;  // no equity before 20 years, and none that is negative
  EXPECT_TRUE(Agrawal::in_group_a(10, a));
}

TEST(Agrawal, LabelsByTheFunction) {
  for (std::int64_t function = 1; function <= 10; ++function) {
    const Minibatch data = test::generate(agrawal(function, 0), 2000);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const bool in_a = Agrawal::in_group_a(function, applicant(data.features().row(i)));
      ASSERT_EQ(data.examples().y[i], in_a ? 1 : 0) << function << " " << i;
    }
  }
}

TEST(Agrawal, HasAsManyInGroupAAsTheAgesAndLevelsSay) {
  // Of the 61 ages, 20 are below 40, 20 below 60 and 21 above.
  const double by_function_1 = 41.0 / 61, by_function_3 = (20 * 2 + 20 * 3 + 21 * 3) / (61 * 5.0);
  EXPECT_NEAR(test::positive_rate(test::generate(agrawal(1, 0.05), 20000)), by_function_1,
              test::five_errors(by_function_1, 20000));
  EXPECT_NEAR(test::positive_rate(test::generate(agrawal(3, 0.05), 20000)), by_function_3,
              test::five_errors(by_function_3, 20000));
}

TEST(Agrawal, IsBalancedIfToldSo) {
  for (std::int64_t function = 1; function <= 10; ++function) {
    const Spec spec = agrawal(function, 0).set("balanced", true);
    const Minibatch data = test::generate(spec, 2000);
    EXPECT_NEAR(test::positive_rate(data), 0.5, test::five_errors(0.5, 2000)) << function;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const bool in_a = Agrawal::in_group_a(function, applicant(data.features().row(i)));
      ASSERT_EQ(data.examples().y[i], in_a ? 1 : 0) << function << " " << i;
    }
  }
}

void expect_within_the_ranges(const Applicant& a) {
  ASSERT_TRUE(a.salary >= 20e3 && a.salary <= 150e3);
  ASSERT_TRUE(a.commission == 0 || (a.commission >= 10e3 && a.commission <= 75e3));
  ASSERT_TRUE(a.age >= 20 && a.age <= 80 && a.age == std::floor(a.age));
  ASSERT_TRUE(a.hyears >= 1 && a.hyears <= 30 && a.hyears == std::floor(a.hyears));
  ASSERT_TRUE(a.hvalue >= 0.5e5 * (10 - a.zipcode) && a.hvalue <= 1.5e5 * (10 - a.zipcode));
  ASSERT_TRUE(a.loan >= 0 && a.loan <= 500e3);
}

TEST(Agrawal, DrawsEveryValueOfTheRanges) {
  const Minibatch data = test::generate(agrawal(1, 0), 5000);
  std::array<std::set<double>, 9> seen;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const Applicant a = applicant(data.features().row(i));
    expect_within_the_ranges(a);
    ASSERT_EQ(a.commission == 0, a.salary >= 75e3);
    for (std::size_t j = 0; j < 9; ++j) seen[j].insert(data.features().row(i)[j]);
  }
  const std::pair<std::size_t, std::pair<double, double>> integers[] = {
      {2, {20, 80}}, {3, {0, 4}}, {4, {1, 20}}, {5, {1, 9}}, {7, {1, 30}}};
  for (const auto& [column, range] : integers) {
    EXPECT_EQ(*seen[column].begin(), range.first) << column;
    EXPECT_EQ(*seen[column].rbegin(), range.second) << column;
    EXPECT_EQ(static_cast<double>(seen[column].size()), range.second - range.first + 1) << column;
  }
  // 5000 draws leave no gap of a hundredth of a range at its ends (probability e^-50).
  EXPECT_LT(*seen[0].begin(), 21.3e3);
  EXPECT_GT(*seen[0].rbegin(), 148.7e3);
  EXPECT_GT(*seen[8].rbegin(), 495e3);
  EXPECT_GT(*seen[6].rbegin(), 1.2e6) << "the dearest zipcode goes up to 1350000";
}

TEST(Agrawal, PerturbsTheQuantitiesAfterLabelling) {
  const Minibatch exact = test::generate(agrawal(5, 0), 20000);
  const Minibatch moved = test::generate(agrawal(5, 0.05), 20000);
  EXPECT_TRUE(std::ranges::equal(exact.examples().y, moved.examples().y));
  double count = 0, loan_moves = 0;
  for (std::size_t i = 0; i < exact.rows(); ++i) {
    const Applicant a = applicant(exact.features().row(i)), b = applicant(moved.features().row(i));
    expect_within_the_ranges(b);
    ASSERT_LE(std::abs(a.salary - b.salary), 0.05 * 130e3);
    ASSERT_LE(std::abs(a.commission - b.commission), a.commission > 0 ? 0.05 * 65e3 : 0);
    ASSERT_LE(std::abs(a.age - b.age), 3);        // 5 % of 60
    ASSERT_LE(std::abs(a.hyears - b.hyears), 1);  // 5 % of 29, rounded
    ASSERT_LE(std::abs(a.hvalue - b.hvalue), 0.05 * 1e5 * (10 - a.zipcode) + 1e-9);
    ASSERT_TRUE(a.elevel == b.elevel && a.car == b.car && a.zipcode == b.zipcode);
    if (a.loan < 25e3 || a.loan > 475e3) continue;  // may have been kept within the range
    ++count;
    loan_moves += std::abs(a.loan - b.loan) / 25e3;
  }
  // Uniform up to 5 % of 500000, up or down.
  EXPECT_NEAR(loan_moves / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
}

TEST(Agrawal, NamesItsColumnsAndGroups) {
  const Schema schema = generators().make("agrawal", 1)->schema();
  EXPECT_EQ(schema.features,
            (std::vector<std::string>{"salary", "commission", "age", "elevel", "car", "zipcode",
                                      "hvalue", "hyears", "loan"}));
  EXPECT_EQ(schema.positive, "A");
}

TEST(Agrawal, DoesNotDependOnHowItIsRead) {
  const Spec spec("agrawal:function=8,balanced=true");
  test::expect_the_same_in_pieces(*generators().make(spec, 9), *generators().make(spec, 9), 100);
}

}  // namespace
}  // namespace plumbline::agrawal_test
