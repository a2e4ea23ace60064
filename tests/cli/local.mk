dist_check_SCRIPTS = tests/cli/test_cli.sh
TESTS += tests/cli/test_cli.sh
