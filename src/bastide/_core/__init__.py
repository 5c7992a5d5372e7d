"""The compiled core. Its one door is `bastide._core.api`."""
