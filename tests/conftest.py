"""Settings that all tests share: the length of the runs that can be made longer."""

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--long",
        type=int,
        default=0,
        metavar="N",
        help="play N games (of each rule set) instead of the short fixed sample; see tests/README.md",
    )


@pytest.fixture(scope="session")
def long_run(request):
    """How many games `--long` asks for; 0 for the short sample."""
    return request.config.getoption("--long")
