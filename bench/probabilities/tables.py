"""The results of run.py as Markdown."""

from scores import best, geometric_mean

OURS = "plumbline"


def number(value, form):
    return "–" if value is None else format(value, form)


def stream_table(stream, results):
    """One stream: a line for each learner. `results` are by name, ours first."""
    lines = [f"### {stream['name']}", "",
             f"{stream['rows']:,} rows, {stream['features']} features, {stream['classes']} classes.", "",
             "| learner | log-loss | calibrated | accuracy | rows per cpu s | peak MiB |",
             "|---|---|---|---|---|---|"]
    for name, result in results.items():
        if "stopped" in result:
            lines.append(f"| {name} | {result['stopped']} | | | | |")
            continue
        speed = stream["rows"] / max(result["seconds"], 1e-9)
        lines.append(f"| {name} | {result['raw']:.4f} | {number(result.get('calibrated'), '.4f')} | "
                     f"{result['accuracy']:.4f} | {float(f'{speed:.3g}'):,.0f} | {result['mib']:.0f} |")
    return "\n".join(lines) + "\n"


def peers_of(results):
    return {name: result for name, result in results.items() if not name.startswith(OURS)}


def ratios(results):
    """Ours to the best peer: raw, calibrated, and the lower of the two; None without peers."""
    ours = next(result["raw"] for name, result in results.items() if name.startswith(OURS))
    lowest = [found and found[1] for found in (best(peers_of(results), kind) for kind in ("raw", "calibrated"))]
    known = [loss for loss in lowest if loss is not None]
    return [loss and ours / loss for loss in (*lowest, min(known, default=None))]


def summary(streams):
    """All streams: ours beside the best peers. `streams` are pairs of a stream and its results."""
    lines = ["### Summary", "",
             "| stream | peers | plumbline | best peer, raw | | best peer, calibrated | | ours / raw | ours / calibrated | ours / best |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    columns = [[], [], []]
    for stream, results in streams:
        # Peers without a result, not run or ended, are not counted.
        count = sum("raw" in result for result in peers_of(results).values())
        cells = [stream["name"], str(count), f"{next(iter(results.values()))['raw']:.4f}"]
        for kind in ("raw", "calibrated"):
            name, loss = best(peers_of(results), kind) or ("–", None)
            cells += [number(loss, ".4f"), name]
        for column, ratio in zip(columns, ratios(results)):
            cells.append(number(ratio, ".3f"))
            if ratio is not None:
                column.append(ratio)
        lines.append(f"| {' | '.join(cells)} |")
    told = [f"{geometric_mean(column):.3f}" if column else "–" for column in columns]
    lines.append(f"| geometric mean | | | | | | | {' | '.join(told)} |")
    told = [f"{sum(ratio <= 1 for ratio in column)} of {len(column)}" for column in columns]
    lines.append(f"| at most 1 | | | | | | | {' | '.join(told)} |")
    return "\n".join(lines) + "\n"
