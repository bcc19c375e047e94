#!/usr/bin/env bash
# Maintains hosts and leaves those out whose tenants do not answer: their instances stay where they are.
#
#     examples/silent-tenant/skip-silent.sh compute-1 compute-2 compute-3
#
# SILENCE=pause pauses the session instead, until you resume it or skip the host. The other variables are in
# ../session.sh.
source "$(dirname "$0")/../session.sh"

create "\"reply_policy\": { \"silence\": \"${SILENCE:-skip_host}\" }" "$@"
follow
