#include "plumbline/config.h"

#include <gtest/gtest.h>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/model/binary_model.h"
#include "tests/support.h"

namespace plumbline::config_test {
namespace {

using test::expect_error;

TEST(Config, WrittenAsJsonReadsBackToTheSame) {
  ModelConfig config;
  config.learner = "logistic:penalty=l1,alpha=0.01";
  config.ensemble.size = 25;
  config.ensemble.correctness = Correctness::before_update;
  config.ensemble.resample = OnlineBoost::Resample::no;
  config.calibrator = "platt:bfgs_steps=3";
  config.policy = "discounted_thompson:gamma=0.9";
  config.reward = "cost:false_negative=5";
  config.actions = {Action::both, Action::train, Action::skip};
  config.seed = 18446744073709551615u;
  const std::string json = to_json(config);
  EXPECT_EQ(to_json(config_from_json(json)), json);
  for (const char* part :
       {"\"penalty\":\"l1\"", "\"alpha\":0.01", "\"size\":25", "\"correctness\":\"before_update\"",
        "\"bfgs_steps\":3", "\"gamma\":0.9", "\"false_negative\":5.0",
        "[\"both\",\"train\",\"skip\"]", "18446744073709551615"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << " is not in " << json;
  }
}

TEST(Config, TakesLessAndFillsInTheDefaults) {
  EXPECT_EQ(to_json(config_from_json("{}")), to_json(ModelConfig{}));
  const ModelConfig config = config_from_json(
      R"({"policy": "fixed:every=4", "ensemble": {"size": 3, "resample": false},
          "learner": {"relative_floor": 0.001}, "seed": 7})");
  EXPECT_EQ(config.policy.text(), "fixed:every=4,from=1");
  EXPECT_EQ(config.ensemble.size, 3);
  EXPECT_EQ(config.ensemble.resample, OnlineBoost::Resample::no);
  EXPECT_EQ(config.learner.name, "gaussian_nb");
  EXPECT_EQ(config.seed, 7u);
}

// Files of version 0.1.0 name the option on_drift of calibrators, which has been removed.
TEST(Config, TakesARetiredOptionWithTheValueThatDidNothing) {
  const ModelConfig plain = config_from_json(R"({"calibrator": "cascade"})");
  for (const char* json : {R"({"calibrator": {"name": "cascade", "on_drift": 1.0}})",
                           R"({"calibrator": {"name": "cascade", "on_drift": 1}})",
                           R"({"calibrator": "cascade:on_drift=1"})"}) {
    const ModelConfig config = config_from_json(json);
    EXPECT_EQ(config.calibrator, plain.calibrator);
    EXPECT_EQ(to_json(config).find("on_drift"), std::string::npos);
  }
  expect_error(ErrorKind::config,
               {"option 'on_drift' of calibrator 'beta' cannot be '0.5'", "removed"},
               [] { config_from_json(R"({"calibrator": "beta:on_drift=0.5"})"); });
}

TEST(Config, RefusesWhatItDoesNotUnderstand) {
  const auto refused = [](const char* json, std::initializer_list<const char*> parts) {
    expect_error(ErrorKind::config, parts, [&] { config_from_json(json); });
  };
  refused("", {"not a JSON object"});
  refused("[1", {"not a JSON object"});
  refused("[]", {"not a JSON object"});
  refused(R"({"lerner": "logistic"})", {"unknown key", "did you mean 'learner'?"});
  refused(R"({"learner": "logistc"})", {"unknown learner 'logistc'", "did you mean 'logistic'?"});
  refused(R"({"learner": 3})", {"'learner' must be a text or an object"});
  refused(R"({"learner": {"name": 3}})", {"'learner.name' must be a text"});
  refused(R"({"learner": {"alpha": [1]}})", {"'learner.alpha' must be"});
  refused(R"({"policy": {"name": "fixed", "every": 1}})", {"'every' of policy 'fixed'", "[2, "});
  refused(R"({"ensemble": {"size": 0}})", {"'size' of the ensemble"});
  refused(R"({"ensemble": "bagging"})", {"unknown ensemble 'bagging'"});
  refused(R"({"actions": []})", {"list of actions is empty"});
  refused(R"({"actions": "train"})", {"'actions' must be a list"});
  refused(R"({"actions": ["trian"]})", {"unknown action 'trian'"});
  refused(R"({"actions": ["train", "train"]})", {"'train' is listed twice"});
  refused(R"({"ensemble": {"size": 18446744073709551615}})", {"'size'", "1.8446744073709552e+19"});
  refused(R"({"actions": ["train", 1]})", {"'actions' must be a list"});
  refused(R"({"seed": -1})", {"'seed'"});
  refused(R"({"reward": "log_loss:on=never"})", {"same_batch, next_batch, running"});
}

// Files of before do not have it.
TEST(Config, NamesTheFirstRoundUnlessItOnlyTrains) {
  ModelConfig config;
  EXPECT_EQ(to_json(config).find("first_round"), std::string::npos);
  EXPECT_EQ(config_from_json("{}").first_round, FirstRound::train);
  config.first_round = FirstRound::train_then_calibrate;
  const std::string json = to_json(config);
  EXPECT_NE(json.find(R"("first_round":"train_then_calibrate")"), std::string::npos) << json;
  EXPECT_EQ(config_from_json(json).first_round, FirstRound::train_then_calibrate);
  EXPECT_EQ(config_from_json(R"({"first_round": "train"})").first_round, FirstRound::train);
  expect_error(ErrorKind::config, {"unknown first round 'trian'", "did you mean 'train'?"},
               [] { config_from_json(R"({"first_round": "trian"})"); });
  expect_error(ErrorKind::config, {"'first_round' must be a text"},
               [] { config_from_json(R"({"first_round": true})"); });
}

TEST(Config, APresetIsAModel) {
  for (const Preset& row : presets()) {
    const BinaryModel model(row.config, Schema::numeric(3));
    EXPECT_EQ(to_json(model.config()), to_json(row.config)) << row.name;
  }
  expect_error(ErrorKind::config, {"unknown preset 'papr'", "did you mean 'paper'?"},
               [] { preset("papr"); });
}

TEST(Config, TheOptionsOfTheEnsembleAreCheckedHoweverTheyAreSet) {
  ModelConfig config;
  config.ensemble.size = 0;
  expect_error(ErrorKind::config, {"'size' of the ensemble"},
               [&] { BinaryModel(config, Schema::numeric(1)); });
  config = {};
  config.ensemble.error_floor = 0.5;
  expect_error(ErrorKind::config, {"'error_floor' of the ensemble"}, [&] { to_json(config); });
}

TEST(Config, OverlaysChangeWhatTheySayAlone) {
  Config config;
  config.model.learner = "logistic:alpha=0.5,penalty=l1";
  config = overlay(config, R"({"learner": {"alpha": 0.25}, "batch": 7})");
  EXPECT_EQ(config.batch, 7);
  EXPECT_EQ(config.model.learner.text().find("logistic:penalty=l1,alpha=0.25"), 0u)
      << config.model.learner.text();
  config = overlay(config, R"({"learner": {"name": "logistic"}})");
  EXPECT_NE(config.model.learner.text().find("penalty=l2"), std::string::npos);
  config = overlay(config, R"({"ensemble": {"size": "3"}, "encoder": {"max_categories": 5}})");
  config = overlay(config, R"({"ensemble": {"score": "logistic"}})");
  EXPECT_EQ(config.model.ensemble.size, 3);
  EXPECT_EQ(config.model.ensemble.score, ScoreKind::logistic);
  EXPECT_EQ(config.encoder.max_categories, 5);
  EXPECT_EQ(to_json(overlay({}, to_json(config))), to_json(config));
  expect_error(ErrorKind::config, {"'btch'", "did you mean 'batch'?"},
               [] { overlay({}, R"({"btch": 3})"); });
  expect_error(ErrorKind::config, {"'batch' must be from 1"},
               [] { overlay({}, R"({"batch": 0})"); });
  expect_error(ErrorKind::config, {"option 'max_categories' of the encoder"},
               [] { overlay({}, R"({"encoder": {"max_categories": 0}})"); });
}

// Files and configurations of earlier versions have it so.
TEST(Config, ReadsStandardiseAsStandardize) {
  const Config config = overlay({}, R"({"encoder": {"standardise": "true"}})");
  EXPECT_EQ(config.encoder.standardize, EncoderOptions::Standardize::yes);
  const std::string written = to_json(config);
  EXPECT_NE(written.find("\"standardize\":\"true\""), std::string::npos) << written;
  EXPECT_EQ(written.find("standardise"), std::string::npos) << written;
}

TEST(Config, AModelNeedsFittingActions) {
  ModelConfig config;
  config.policy = "fixed";
  config.actions = {Action::train};
  expect_error(ErrorKind::config, {"needs the action 'calibrate'"},
               [&] { BinaryModel(config, Schema::numeric(1)); });
}

}  // namespace
}  // namespace plumbline::config_test
