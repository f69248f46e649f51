#include "plumbline/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support.h"

namespace plumbline::archive_test {
namespace {

using test::expect_error;

struct Inner {
  std::vector<double> values{1, 2, 3, 4};
  void archive(Archive& archive) { archive.values("values", values, 2); }
};

struct Thing {
  double real = 0.1;
  std::uint64_t count = 5;
  bool flag = true;
  std::vector<std::uint64_t> counts{7, 8};
  Inner inner;
  void archive(Archive& archive) {
    archive.value("real", real);
    archive.value("count", count);
    archive.value("flag", flag);
    archive.values("counts", counts);
    archive.scope("inner", [&](Archive& scope) { inner.archive(scope); });
  }
};

TEST(Archive, BringsEveryBitBack) {
  Thing saved;
  saved.real = std::numeric_limits<double>::denorm_min();
  saved.inner.values[2] = -0.0;
  const Tensors tensors = save_state(saved);
  Thing loaded;
  loaded.flag = false;
  loaded.count = 0;
  load_state(loaded, tensors);
  EXPECT_EQ(save_state(loaded), tensors);
  EXPECT_TRUE(std::signbit(loaded.inner.values[2]));
  EXPECT_EQ(loaded.count, 5u);
  EXPECT_TRUE(loaded.flag);
}

TEST(Archive, NamesTensorsByTheirScopeAndGivesThemShapes) {
  const Tensors tensors = save_state(Thing{});
  ASSERT_EQ(tensors.size(), 5u);
  EXPECT_EQ(tensors[0].name, "real");
  EXPECT_TRUE(tensors[0].shape.empty());
  EXPECT_EQ(tensors[4].name, "inner.values");
  EXPECT_EQ(tensors[4].shape, (std::vector<std::size_t>{2, 2}));
}

TEST(Archive, AMatrixHasTheShapeOfItsRowsAndColumns) {
  struct Matrix {
    std::vector<double> values{1, 2, 3, 4, 5, 6};
    void archive(Archive& archive) { archive.values("values", values, 2); }
  };
  EXPECT_EQ(save_state(Matrix{})[0].shape, (std::vector<std::size_t>{2, 3}));
}

TEST(Archive, DoesNotDependOnTheOrderOfTheTensors) {
  Tensors tensors = save_state(Thing{});
  std::swap(tensors[0], tensors[4]);
  Thing loaded;
  loaded.real = 0;
  load_state(loaded, tensors);
  EXPECT_EQ(loaded.real, 0.1);
}

TEST(Archive, RefusesStateThatDoesNotFit) {
  const Tensors good = save_state(Thing{});
  const auto load = [](const Tensors& tensors) {
    Thing thing;
    load_state(thing, tensors);
  };
  Tensors bad = good;
  bad.pop_back();
  expect_error(ErrorKind::model_file, {"'inner.values' is missing"}, [&] { load(bad); });
  bad = good;
  bad[4].shape = {4, 1};
  expect_error(ErrorKind::model_file, {"'inner.values'", "[4, 1]", "[2, 2]"}, [&] { load(bad); });
  bad = good;
  bad[0].bytes.pop_back();
  expect_error(ErrorKind::model_file, {"'real'"}, [&] { load(bad); });
  bad = good;
  bad[0].type = TensorType::u64;
  expect_error(ErrorKind::model_file, {"'real'"}, [&] { load(bad); });
  bad = good;
  bad[2].bytes[0] = std::byte{2};
  expect_error(ErrorKind::model_file, {"'flag'"}, [&] { load(bad); });
  bad = good;
  bad.push_back({"more", TensorType::f64, {}, std::vector<std::byte>(8)});
  expect_error(ErrorKind::model_file, {"6 pieces", "5"}, [&] { load(bad); });
}

TEST(Archive, RefusesNumbersThatAreNotFinite) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Tensors tensors = save_state(Thing{});
    std::memcpy(tensors[4].bytes.data() + 8, &value, sizeof value);
    Thing thing;
    expect_error(ErrorKind::model_file, {"'inner.values'", "not a finite number"},
                 [&] { load_state(thing, tensors); });
    tensors = save_state(Thing{});
    std::memcpy(tensors[0].bytes.data(), &value, sizeof value);
    expect_error(ErrorKind::model_file, {"'real'", "not a finite number"},
                 [&] { load_state(thing, tensors); });
  }
}

}  // namespace
}  // namespace plumbline::archive_test
