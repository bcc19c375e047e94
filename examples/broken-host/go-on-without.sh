#!/usr/bin/env bash
# Maintains hosts and goes on where one of them breaks: it is set aside and left disabled, and named at the end.
#
#     examples/broken-host/go-on-without.sh compute-1 compute-2 compute-3
#
# MAX_FAILED_HOSTS changes how many may fail. While the session runs, a host that is repaired is taken up again by
# POST …/hosts/{hostname}/retry. The other variables are in ../session.sh.
source "$(dirname "$0")/../session.sh"

create "\"max_failed_hosts\": ${MAX_FAILED_HOSTS:-1}" "$@"
follow
