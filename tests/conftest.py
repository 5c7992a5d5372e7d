"""What all tests share: the length of the runs that can be made longer, and commands."""

import pytest

from bastide.cli.app import run


def pytest_addoption(parser):
    parser.addoption(
        "--long",
        type=int,
        default=0,
        metavar="N",
        help="play N games (of each rule set) instead of the short fixed sample; see tests/README.md",
    )

    parser.addoption(
        "--chromium",
        metavar="PATH",
        help="the Chromium in which tests/browser runs; without it those tests are left out",
    )


def pytest_ignore_collect(collection_path, config):
    """Leave the browser's tests out, imports and all, where no browser is named."""
    if collection_path.name == "browser" and not config.getoption("--chromium"):
        return True
    return None


@pytest.fixture(scope="session")
def long_run(request):
    """How many games `--long` asks for; 0 for the short sample."""
    return request.config.getoption("--long")


@pytest.fixture
def cli(capsys):
    """Run a command in this process; returns exit code, stdout and stderr."""

    def call(*args):
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
