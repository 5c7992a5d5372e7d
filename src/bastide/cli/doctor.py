"""`bastide doctor`: how this copy was built, on what it runs, and whether it plays the games it should."""

from typing import Any

import click

from bastide.cli.app import RunError
from bastide.cli.common import dumps

EXAMPLES = """\b
Examples:
  bastide doctor
  bastide doctor --json
"""


@click.command("doctor", epilog=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool) -> None:
    """Print versions, compiler, flags and processor, and play some games whose checksums are known.

    Exit code 1 if a checksum is not what it should be: then this build plays other games, or wrong ones.
    """
    from bastide.measure import SELF_CHECK_GAMES, SELF_CHECK_SEED, machine, self_check

    facts = machine()
    checks = {
        name: {"games": SELF_CHECK_GAMES, "seed": SELF_CHECK_SEED, "checksum": found, "expected": expected}
        for name, (found, expected) in self_check().items()
    }
    wrong = [name for name, check in checks.items() if check["checksum"] != check["expected"]]
    if as_json:
        click.echo(dumps({"format": "bastide-doctor", "version": 1, **facts, "checks": checks, "healthy": not wrong}))
    else:
        click.echo(_text(facts, checks))
    if wrong:
        raise RunError(f"the games of {', '.join(wrong)} are not those that this version plays")


def _text(facts: dict[str, Any], checks: dict[str, dict[str, int]]) -> str:
    build = facts["build"]
    kind = "debug build with sanitizers" if build["sanitizers"] else "debug build" if build["debug"] else "release"
    if not build["optimized"] and not build["debug"]:
        kind += ", NOT optimized: games will be slow"
    rows = [
        ("bastide", facts["package"]),
        (
            "rules, random stream, actions",
            "version {rules_version}, {random_version}, {action_version}".format(**facts),
        ),
        ("core", facts["core"]),
        ("built by", f"{build['compiler']}, Cython {build['cython']}"),
        ("flags", build["flags"] or "unknown"),
        ("kind", f"{kind}; instructions: {build['instructions']}"),
        ("python, numpy", f"{facts['python']}, {facts['numpy']}"),
        ("system", facts["system"]),
        ("processor", f"{facts['cpu']}, {facts['processors']} in all"),
    ]
    for name, check in checks.items():
        is_right = check["checksum"] == check["expected"]
        verdict = "right" if is_right else f"WRONG, should be {check['expected']}"
        rows.append((f"{check['games']} games of {name}", f"checksum {check['checksum']}: {verdict}"))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)
