"""A table of bad inputs and what each one gets: exit code and parts of the sentence.

Whatever is given, plumbline neither crashes nor hangs, prints no result, and says what is wrong.
"""

import bz2
import gzip
import json
import lzma

from support import InFolder, main, run

GOOD = "a,b,y\n1,2,0\n3,4,1\n5,6,0\n"
ROWS = "a,b,y\n" + "".join(f"{i},{i % 7},{i % 2}\n" for i in range(200))
ARFF = "@relation r\n@attribute a numeric\n@attribute c {x,z}\n@attribute y {0,1}\n@data\n"
USAGE, DATA, MODEL, IO = 2, 3, 4, 5

# title: (arguments, exit code, parts of standard error, files besides good.csv and rows.csv)
CASES = {
    # The command line itself.
    "no verb": ([], USAGE, ["run", "predict"]),
    "an unknown verb": (["rnu", "good.csv"], USAGE, ["'rnu'", "did you mean 'run'"]),
    "an unknown option": (["run", "good.csv", "--lerner", "x"], USAGE, ["--lerner", "--learner"]),
    "no file": (["run"], USAGE, ["file", "required"]),
    "two files": (["run", "good.csv", "rows.csv"], USAGE, ["rows.csv"]),
    "predict without a model": (["predict", "good.csv"], USAGE, ["--model"]),
    "datasets without an action": (["datasets"], USAGE, ["list", "verify", "path"]),
    "an unknown data set": (["datasets", "path", "electricty"], USAGE, ["'electricity'"]),
    "compare from a pipe": (["compare", "-"], USAGE, ["it needs a file"]),
    "header and no header": (["run", "good.csv", "--header", "--no-header"], USAGE, ["--header"]),
    "a seed that is no number": (["run", "good.csv", "--seed", "x"], USAGE, ["--seed", "x"]),
    "a negative seed": (["run", "good.csv", "--seed", "-1"], USAGE, ["--seed"]),
    "a limit of none": (["run", "good.csv", "--limit", "0"], USAGE, ["--limit"]),
    "an unknown way of progress": (["run", "good.csv", "--progress", "x"], USAGE, ["table", "bar"]),
    "an unknown treatment of bad rows": (
        ["run", "good.csv", "--on-bad-row", "fix"], USAGE, ["stop", "skip"]),
    "no runs": (["compare", "good.csv", "--runs", "0"], USAGE, ["--runs"]),
    "predictions and JSON on one stream": (
        ["run", "good.csv", "--json", "--predictions", "-"], USAGE, ["standard output"]),
    # The model's options.
    "an unknown learner": (["run", "good.csv", "--learner", "gausian_nb"], USAGE,
                           ["unknown learner 'gausian_nb'", "did you mean 'gaussian_nb'"]),
    "an unknown policy": (["run", "good.csv", "--policy", "ucb2"], USAGE,
                          ["unknown policy 'ucb2'", "did you mean 'ucb1'", "known:"]),
    "an unknown calibrator": (["run", "good.csv", "--calibrator", "plat"], USAGE, ["'platt'"]),
    "an unknown reward": (["run", "good.csv", "--reward", "logloss"], USAGE, ["'log_loss'"]),
    "an unknown score": (["run", "good.csv", "--score", "vote"], USAGE, ["vote_fraction"]),
    "an unknown action": (["run", "good.csv", "--actions", "train,tran"], USAGE, ["tran"]),
    "an action twice": (["run", "good.csv", "--actions", "train,train"], USAGE, ["twice"]),
    "an unknown option of a learner": (["run", "good.csv", "--learner", "logistic:alfa=1"], USAGE,
                                       ["'alfa'", "did you mean 'alpha'"]),
    "a value out of range": (["run", "good.csv", "--learner", "logistic:alpha=-1"], USAGE,
                             ["'alpha'", "'-1'"]),
    "a value that is no number": (["run", "good.csv", "--policy", "fixed:every=two"], USAGE,
                                  ["'every'", "'two'", "whole number"]),
    "a choice that is none": (["run", "good.csv", "--learner", "logistic:penalty=l3"], USAGE,
                              ["l1", "l2", "none"]),
    "a spec without a value": (["run", "good.csv", "--policy", "fixed:every"], USAGE,
                               ["OPTION=VALUE"]),
    "an empty name": (["run", "good.csv", "--policy", ":every=4"], USAGE, ["name is missing"]),
    "no learners": (["run", "good.csv", "--learners", "0"], USAGE, ["'size'", "'0'"]),
    "an empty minibatch": (["run", "good.csv", "--batch", "0"], USAGE, ["'batch'"]),
    "a setting without a value": (["run", "good.csv", "--set", "batch"], USAGE, ["--set", "batch"]),
    "a setting of nothing": (["run", "good.csv", "--set", "ensembel.size=3"], USAGE,
                             ["did you mean 'ensemble'"]),
    "a setting of an unknown option": (["run", "good.csv", "--set", "ensemble.sise=3"], USAGE,
                                       ["did you mean 'size'"]),
    "an unknown preset": (["run", "good.csv", "--preset", "papr"], USAGE, ["did you mean 'paper'"]),
    "a policy that needs an action which is not there": (
        ["run", "good.csv", "--policy", "fixed", "--actions", "train"], USAGE, ["calibrate"]),
    "a missing configuration file": (["run", "good.csv", "--config", "no.toml"], IO,
                                     ["no.toml", "No such file"]),
    "a configuration that is no TOML": (["run", "good.csv", "--config", "bad.toml"], USAGE,
                                        ["bad.toml, line 2"], {"bad.toml": "batch = 5\nseed = = 1\n"}),
    "a configuration with an unknown key": (["run", "good.csv", "--config", "c.toml"], USAGE,
                                            ["c.toml", "'lerner'"], {"c.toml": "[lerner]\nname='x'\n"}),
    "a configuration with an unknown option": (
        ["run", "good.csv", "--config", "c.toml"], USAGE, ["c.toml", "'alfa'"],
        {"c.toml": "[learner]\nname='logistic'\nalfa=1\n"}),
    "a configuration with a date": (["run", "good.csv", "--config", "c.toml"], USAGE,
                                    ["c.toml, line 1", "dates"], {"c.toml": "seed = 2020-01-01\n"}),
    "a configuration with a wrong type": (["run", "good.csv", "--config", "c.toml"], USAGE,
                                          ["'batch'"], {"c.toml": "batch = 'many'\n"}),
    "a configuration with a negative seed": (["run", "good.csv", "--config", "c.toml"], USAGE,
                                             ["'seed'"], {"c.toml": "seed = -1\n"}),
    # Costs.
    "a cost of nothing": (["run", "good.csv", "--cost-fp", "0"], USAGE, ["--cost-fp", "'0'"]),
    "a negative cost": (["run", "good.csv", "--cost-fn", "-1"], USAGE, ["--cost-fn", "'-1'"]),
    "a cost that is NaN": (["run", "good.csv", "--cost-fn", "nan"], USAGE, ["--cost-fn", "'nan'"]),
    "a cost that is no number": (["predict", "good.csv", "-m", "m", "--cost-fn", "ten"], USAGE,
                                 ["--cost-fn", "'ten'"]),
    "a cost that is too large": (["compare", "good.csv", "--cost-fn", "1e13"], USAGE, ["(0, 1000000000000]"]),
    "a cost as a number and as a column": (
        ["run", "good.csv", "--cost-fn", "1", "--cost-fn-column", "a"], USAGE,
        ["--cost-fn", "--cost-fn-column"]),
    "an unknown column of costs": (["run", "good.csv", "--cost-fn-column", "z"], USAGE,
                                   ["unknown column 'z'", "known: a, b, y"]),
    "the label as a cost": (["run", "good.csv", "--cost-fn-column", "y"], USAGE,
                            ["the label 'y' cannot be a cost"]),
    "costs that leave no feature": (
        ["run", "good.csv", "--cost-fn-column", "a", "--cost-fp-column", "b"], DATA,
        ["no column to learn"]),
    "costs by column where there are none": (
        ["run", "x.svm", "--cost-fn-column", "a"], USAGE, ["x.svm", "'a'", "no columns"],
        {"x.svm": "1 1:2\n0 1:3\n"}),
    "a negative cost in a row": (["run", "x.csv", "--cost-fn-column", "a"], DATA,
                                 ["x.csv, line 3, column 1", "'-3' in 'a' is no cost"],
                                 {"x.csv": "a,b,y\n1,2,0\n-3,4,1\n"}),
    "a missing cost in a row": (["run", "x.csv", "--cost-fn-column", "a"], DATA,
                                ["x.csv, line 3, column 1", "the cost in 'a' is missing"],
                                {"x.csv": "a,b,y\n1,2,0\n,4,1\n"}),
    "a cost in a row that is no number": (
        ["compare", "x.csv", "--cost-fp-column", "a"], DATA,
        ["x.csv, line 3, column 1", "'ten' in 'a' is no cost"],
        {"x.csv": "a,b,y\n1,2,0\nten,4,1\n"}),
    "no negatives kept": (["run", "good.csv", "--negatives-kept", "0"], USAGE,
                          ["--negatives-kept", "'0'"]),
    "more negatives than there were": (["run", "good.csv", "--negatives-kept", "1.5"], USAGE,
                                       ["--negatives-kept", "'1.5'"]),
    "a share of positives of 1": (["predict", "good.csv", "-m", "m", "--prior", "1"], USAGE,
                                  ["--prior", "'1'", "estimate"]),
    "a share of positives that is a word": (
        ["predict", "good.csv", "-m", "m", "--prior", "guess"], USAGE, ["'guess'", "estimate"]),
    "a share of positives and negatives kept": (
        ["predict", "good.csv", "-m", "m", "--prior", "0.1", "--negatives-kept", "0.1"], USAGE,
        ["--prior", "--negatives-kept"]),
    # The file.
    "a missing file": (["run", "no.csv"], IO, ["no.csv", "No such file"]),
    "a folder": (["run", "."], IO, ["Is a directory"]),
    "an empty file": (["run", "x.csv"], DATA, ["x.csv", "no data"], {"x.csv": ""}),
    "blank lines alone": (["run", "x.csv"], DATA, ["x.csv", "no data"], {"x.csv": "\n\n\r\n"}),
    "a header alone": (["run", "x.csv"], DATA, ["x.csv", "no row has a label"], {"x.csv": "a,y\n"}),
    "a truncated gzip file": (["run", "x.gz"], DATA, ["x.gz", "truncated"],
                              {"x.gz": gzip.compress(ROWS.encode() + b"1,2,0\n" * 3000)[:-9]}),
    "a damaged gzip file": (["run", "x.gz"], DATA, ["x.gz", "damaged"],
                            {"x.gz": gzip.compress(ROWS.encode())[:40] + b"\xff" * 60}),
    "a damaged zstd file": (["run", "x.zst"], DATA, ["x.zst"],
                            {"x.zst": b"\x28\xb5\x2f\xfd" + b"\x00\xff" * 20}),
    "a binary file": (["run", "x.bin"], DATA, ["x.bin"], {"x.bin": bytes(range(256)) * 30}),
    "UTF-16": (["run", "x.csv"], DATA, ["x.csv", "UTF-16", "iconv"],
               {"x.csv": GOOD.encode("utf-16")}),
    "UTF-16 without its mark": (["run", "x.csv"], DATA, ["x.csv", "NUL"],
                                {"x.csv": GOOD.encode("utf-16-le")}),
    "a truncated xz file": (["run", "x.xz"], DATA, ["x.xz", "truncated"],
                            {"x.xz": lzma.compress(ROWS.encode())[:-9]}),
    "a damaged xz file": (["run", "x.xz"], DATA, ["x.xz", "damaged"],
                          {"x.xz": lzma.compress(ROWS.encode())[:30] + b"\xff" * 60}),
    "a truncated bzip2 file": (["run", "x.bz2"], DATA, ["x.bz2", "truncated"],
                               {"x.bz2": bz2.compress(ROWS.encode())[:-9]}),
    "a damaged bzip2 file": (["run", "x.bz2"], DATA, ["x.bz2", "damaged"],
                             {"x.bz2": bz2.compress(ROWS.encode()) + b"rest"}),
    "a truncated zip archive": (["run", "x.zip"], DATA, ["x.zip", "truncated"], {"x.zip": b"PK\x03\x04rest"}),
    "an empty zip archive": (["run", "x.zip"], DATA, ["x.zip", "empty"],
                             {"x.zip": b"PK\x05\x06" + bytes(18)}),
    "a 7z archive": (["run", "x.7z"], DATA, ["x.7z", "7z", "unpack"], {"x.7z": b"7z\xbc\xaf\x27\x1crest"}),
    "a time that is none": (["run", "x.csv"], DATA, ["line 22, column 1", "'soon' in 'when' is not a time",
                                                     "--missing soon"],
                            {"x.csv": "when,a,y\n" + "2024-05-31,1,0\n2024-06-01,2,1\n" * 10 + "soon,1,0\n"}),
    "no times": (["run", "x.csv", "--time", "when"], DATA, ["'when' has no times", "'soon'"],
                 {"x.csv": "when,a,y\nsoon,1,0\nlate,2,1\n"}),
    "lines that end with CR": (["run", "x.csv"], DATA, ["CR alone"],
                               {"x.csv": GOOD.replace("\n", "\r")}),
    "a NUL in a row": (["run", "x.csv"], DATA, ["line 2002, column 1", "\\x00", "not a number"],
                       {"x.csv": "v,y\n" + "1,0\n2,1\n" * 1000 + "1\0,1\n" + "1,0\n" * 40000}),
    "no rows left": (["run", "good.csv", "--skip", "10"], DATA, ["no row to learn from"]),
    "no rows left to compare": (["compare", "good.csv", "--skip", "10"], DATA, ["no row"]),
    "an unknown format": (["run", "good.csv", "--format", "xls"], USAGE, ["'xls'", "csv", "arff"]),
    "a delimiter of two characters": (["run", "good.csv", "--delimiter", "::"], USAGE, ["'::'"]),
    # Columns.
    "an unknown label": (["run", "good.csv", "--label", "z"], USAGE,
                         ["unknown column 'z'", "known: a, b, y"]),
    "a label beyond the last column": (["run", "good.csv", "--label", "9"], USAGE, ["'9'"]),
    "an unknown categorical column": (["run", "good.csv", "--categorical", "q"], USAGE, ["'q'"]),
    "an unknown column to ignore": (["run", "good.csv", "--ignore", "q"], USAGE, ["'q'"]),
    "the label ignored": (["run", "good.csv", "--ignore", "y"], USAGE, ["'y'", "--label"]),
    "all columns ignored": (["run", "good.csv", "--ignore", "a,b"], DATA, ["no column to learn"]),
    "only a label": (["run", "x.csv"], DATA, ["no column to learn"], {"x.csv": "y\n0\n1\n"}),
    "two columns of one name": (["run", "x.csv"], DATA, ["two columns are named 'a'"],
                                {"x.csv": "a,a,y\n1,2,0\n3,4,1\n"}),
    "a name that is not UTF-8": (["run", "x.csv"], DATA, ["column 1", "UTF-8"],
                                 {"x.csv": b"\xe9t\xe9,y\n1,0\n2,1\n"}),
    "two classes and several": (["run", "x.csv", "--positive", "a", "--multiclass", "ovr"], USAGE,
                                ["--positive excludes --multiclass"],
                                {"x.csv": "v,y\n1,a\n2,b\n3,c\n"}),
    "a label of many values": (["run", "x.csv"], DATA, ["100 values", "and 90 more", "--label"],
                               {"x.csv": "v,y\n" + "".join(f"1,{i}\n" for i in range(100))}),
    "one class": (["run", "x.csv"], DATA, ["always 'ham'", "--positive"],
                  {"x.csv": "v,y\n1,ham\n2,ham\n"}),
    "no labels": (["run", "x.csv"], DATA, ["no row has a label"], {"x.csv": "v,y\n1,\n2,?\n"}),
    # Rows.
    "a text among numbers": (["run", "x.csv"], DATA, ["x.csv, line 1203, column 1", "'oops'", "'v'"],
                             {"x.csv": "v,y\n" + "1,0\n2,1\n" * 600 + "1,0\noops,1\n"}),
    "a row too short": (["run", "x.csv"], DATA, ["x.csv, line 4", "1 fields", "2 are expected"],
                        {"x.csv": "v,y\n1,0\n2,1\n3\n"}),
    "a row too long": (["run", "x.csv"], DATA, ["x.csv, line 4", "3 fields"],
                       {"x.csv": "v,y\n1,0\n2,1\n3,1,1\n"}),
    "an open quote": (["run", "x.csv"], DATA, ["x.csv, line 4", "quote is not closed"],
                      {"x.csv": 'v,y\n1,0\n2,1\n"3,1\n4,0\n'}),
    "a third label later": (["run", "x.csv"], DATA, ["line 1202", "'2' is neither '0' nor '1'"],
                            {"x.csv": "v,y\n" + "1,0\n2,1\n" * 600 + "1,2\n"}),
    "a missing label later": (["run", "x.csv"], DATA, ["line 1202, column 2", "label 'y' is missing"],
                              {"x.csv": "v,y\n" + "1,0\n2,1\n" * 600 + "1,\n"}),
    "an infinite number": (["run", "x.csv", "--numeric", "v"], DATA,
                           ["line 3, column 1", "'inf'", "infinite"],
                           {"x.csv": "v,y\n1,0\ninf,1\n"}),
    "a huge number": (["run", "x.csv"], DATA, ["line 3, column 1", "1e300", "1e150"],
                      {"x.csv": "v,y\n1,0\n1e300,1\n"}),
    "a category that is not UTF-8": (["run", "x.csv"], DATA, ["line 3, column 1", "UTF-8"],
                                     {"x.csv": b"c,y\nred,0\nr\xe9d,1\n"}),
    "numbers and texts": (["run", "x.csv"], DATA, ["'v'", "such as '-'", "--missing -"],
                          {"x.csv": "v,y\n" + "".join(f"{i},{i % 2}\n-,1\n" for i in range(50))
                           + "1,0\n" * 60}),
    "a number among words": (["run", "x.csv"], DATA, ["line 1202, column 1", "'7'", "words"],
                             {"x.csv": "v,y\n" + "red,0\nblue,1\n" * 600 + "7,1\n"}),
    "only bad rows, skipped": (["run", "x.csv", "--on-bad-row", "skip"], DATA, ["no row"],
                               {"x.csv": "v,y\n1\n2\n3\n"}),
    # ARFF.
    "ARFF without data": (["run", "x.arff"], DATA, ["x.arff", "@data"],
                          {"x.arff": "@relation r\n@attribute a numeric\n"}),
    "ARFF without attributes": (["run", "x.arff"], DATA, ["x.arff", "attribute"],
                                {"x.arff": "@relation r\n@data\n1,2\n"}),
    "ARFF with an unknown type": (["run", "x.arff"], DATA, ["x.arff, line 2"],
                                  {"x.arff": "@relation r\n@attribute a colour\n@data\n1\n"}),
    "ARFF with an undeclared value": (["run", "x.arff"], DATA, ["x.arff, line 8, column 2", "'q'"],
                                      {"x.arff": ARFF + "1,x,0\n2,z,1\n3,q,1\n"}),
    "ARFF with a short row": (["run", "x.arff"], DATA, ["x.arff, line 7"],
                              {"x.arff": ARFF + "1,x,0\n2,z\n"}),
    "ARFF with an index out of range": (["run", "x.arff"], DATA, ["x.arff, line 7"],
                                        {"x.arff": ARFF + "{0 1}\n{7 1}\n"}),
    "ARFF with a text for a number": (["run", "x.arff"], DATA, ["x.arff, line 7, column 1", "'one'"],
                                      {"x.arff": ARFF + "1,x,0\none,z,1\n"}),
    "ARFF with an open quote": (["run", "x.arff"], DATA, ["x.arff, line 7", "quote"],
                                {"x.arff": ARFF + "1,x,0\n2,'z,1\n"}),
    # LibSVM and VW.
    "LibSVM with a broken pair": (["run", "x.svm"], DATA, ["x.svm, line 2"],
                                  {"x.svm": "1 1:2 3:4\n-1 1:\n"}),
    "LibSVM with a text for a number": (["run", "x.svm"], DATA, ["x.svm, line 2", "'x'"],
                                        {"x.svm": "1 1:2 3:4\n-1 1:x\n"}),
    "LibSVM with an index twice": (["run", "x.svm"], DATA, ["x.svm, line 2", "7"],
                                   {"x.svm": "1 1:2\n-1 7:1 7:2\n"}),
    "LibSVM without a label": (["run", "x.svm"], DATA, ["x.svm, line 2", "no label"],
                               {"x.svm": "1 1:2\n1:1 7:2\n-1 1:1\n"}),
    "columns for rows that name their features": (["run", "x.svm", "--categorical", "1"], USAGE,
                                                  ["name their features"],
                                                  {"x.svm": "1 1:2\n-1 7:1\n"}),
    "VW without a bar": (["run", "x.vw"], DATA, ["x.vw, line 2", "'|'"],
                         {"x.vw": "1 |f a:1\n-1 b\n"}),
    "VW with an importance": (["run", "x.vw"], DATA, ["x.vw, line 2", "importance"],
                              {"x.vw": "1 |f a:1\n-1 2 |f b\n"}),
    "VW with a text for a number": (["run", "x.vw"], DATA, ["x.vw, line 2"],
                                    {"x.vw": "1 |f a:1\n-1 |f b:x\n"}),
    "CSV read as VW": (["run", "good.csv", "--format", "vw"], DATA, ["good.csv, line 1"]),
    "CSV read as ARFF": (["run", "good.csv", "--format", "arff"], DATA, ["good.csv"]),
    "CSV read as LibSVM": (["run", "good.csv", "--format", "libsvm"], DATA, ["good.csv"]),
    # Outputs.
    "a model over the stream": (["run", "good.csv", "--save", "good.csv"], USAGE, ["the same file"]),
    "predictions over the stream": (["run", "good.csv", "--predictions", "./good.csv"], USAGE,
                                    ["the same file"]),
    "predictions over the model": (["predict", "rows.csv", "--model", "model", "-o", "model"], USAGE,
                                   ["the same file"]),
    "two outputs in one file": (["run", "good.csv", "--save", "s", "--report", "s"], USAGE,
                                ["the same file"]),
    "an empty path": (["run", "good.csv", "--save", ""], USAGE, ["--save", "path is empty"]),
    "a seed too large": (["run", "good.csv", "--seed", str(2**64)], USAGE, ["2^64 - 1"]),
    "another label for a model": (["run", "rows.csv", "--load", "model", "--label", "a"], USAGE,
                                  ["--load"]),
    "another preset for a model": (["run", "rows.csv", "--load", "model", "--preset", "paper"],
                                   USAGE, ["--load"]),
    "an unknown column to ignore in predictions": (
        ["predict", "rows.csv", "--model", "model", "--ignore", "q"], USAGE, ["'q'"]),
    "a model in no folder": (["run", "good.csv", "--save", "no/m"], IO, ["no/m", "No such file"]),
    "a model over a folder": (["run", "good.csv", "--save", "."], IO, ["not a regular file"]),
    "a report in no folder": (["run", "good.csv", "--report", "no/r.html"], IO, ["no/r.html"]),
    "predictions in no folder": (["run", "good.csv", "--predictions", "no/p"], IO, ["no/p"]),
    # Models.
    "a missing model": (["predict", "good.csv", "--model", "no"], IO, ["no", "No such file"]),
    "a model that is none": (["predict", "good.csv", "--model", "good.csv"], MODEL,
                             ["good.csv", "not a plumbline model"]),
    "an empty model": (["inspect", "m"], MODEL, ["m", "too short"], {"m": ""}),
    "a foreign safetensors file": (["inspect", "m"], MODEL, ["not a plumbline model"],
                                   {"m": (2).to_bytes(8, "little") + b"{}"}),
    "a truncated model": (["inspect", "cut"], MODEL, ["cut", "truncated"]),
    "an altered model": (["inspect", "altered"], MODEL, ["altered", "checksum"]),
    "a newer model": (["inspect", "newer"], MODEL, ["newer", "version 9"]),
    "a share of positives estimated from a pipe": (
        ["predict", "-", "--model", "model", "--prior", "estimate"], USAGE, ["twice", "file"]),
    "the label as a cost of predictions": (
        ["predict", "rows.csv", "--model", "model", "--cost-fn-column", "y"], USAGE,
        ["the label 'y' cannot be a cost"]),
    "a bad cost of predictions": (
        ["predict", "x.csv", "--model", "model", "--cost-fn-column", "c"], DATA,
        ["x.csv, line 3, column 3", "'-1' in 'c'"], {"x.csv": "a,b,c\n1,2,3\n1,2,-1\n"}),
    "a share of positives of a model that knows none": (
        ["predict", "rows.csv", "--model", "one_class", "--prior", "0.1"], USAGE,
        ["one_class", "positives and negatives", "leave out --prior"]),
    "options for a model that has them": (
        ["run", "rows.csv", "--load", "model", "--learner", "logistic"], USAGE, ["--load"]),
    "a column too few": (["predict", "x.csv", "--model", "model"], DATA, ["x.csv", "no column 'b'"],
                         {"x.csv": "a,y\n1,0\n"}),
    "a column too many": (["predict", "x.csv", "--model", "model"], DATA,
                          ["x.csv", "column 3", "--ignore c"], {"x.csv": "a,b,c\n1,2,3\n"}),
    "a column that became a text": (["predict", "x.csv", "--model", "model"], DATA,
                                    ["x.csv, line 3, column 2", "'red'"],
                                    {"x.csv": "a,b\n1,2\n1,red\n"}),
    "another number of columns": (["predict", "x.csv", "--model", "model"], DATA,
                                  ["4 fields", "made for 3"], {"x.csv": "1,2,3,4\n"}),
    "another kind of file": (["predict", "x.svm", "--model", "model"], DATA,
                             ["name their features"], {"x.svm": "1 1:2\n"}),
    "no label to go on with": (["run", "x.csv", "--load", "model"], DATA, ["no column 'y'"],
                               {"x.csv": "a,b\n1,2\n"}),
}


class BadInput(InFolder):
    def test_there_are_a_hundred(self):
        self.assertGreaterEqual(len(CASES), 100)

    def make_models(self):
        self.ok("run", "rows.csv", "--save", "model", "--progress", "none")
        model = (self.folder / "model").read_bytes()
        self.write("zeros.csv", "a,b,y\n" + "1,2,0\n" * 50)
        self.ok("run", "zeros.csv", "--save", "one_class", "--progress", "none")
        self.write("cut", model[:-100])
        self.write("altered", model[:-1] + bytes([model[-1] ^ 1]))
        self.write("newer", model.replace(b'"format_version":"1"', b'"format_version":"9"'))

    def test_each_gets_its_sentence(self):
        self.write("good.csv", GOOD)
        self.write("rows.csv", ROWS)
        self.make_models()
        model = (self.folder / "model").read_bytes()
        for title, (arguments, code, parts, *files) in CASES.items():
            with self.subTest(title):
                for name, content in (files[0] if files else {}).items():
                    self.write(name, content)
                done = run(*arguments, cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                for part in parts:
                    self.assertIn(part, done.stderr)
                self.assertEqual(done.stdout, "" if "--json" in arguments else done.stdout)
                self.assertNotIn("internal error", done.stderr)
                self.assertNotIn("nan", done.stdout)
                self.assertLess(len(done.stderr.splitlines()), 60)
        self.assertEqual((self.folder / "model").read_bytes(), model)

    def test_a_stop_at_a_bad_row_saves_what_was_learned_before(self):
        self.write("x.csv", ROWS + "oops,1,1\n")
        done = run("run", "x.csv", "--save", "m", "--progress", "none", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("--load m --skip 200 --save m", done.stderr)
        seen = json.loads(self.ok("inspect", "m", "--json").stdout)["examples"]
        self.assertEqual(seen, 200)


if __name__ == "__main__":
    main()
