#!/usr/bin/env bash
# Patches the hosts of one rack tonight between two and six: one host first, and the others once it is back.
#
#     examples/one-rack/patch-one-rack.sh compute-1 compute-2 compute-3
#
# FROM, TO and TIME_ZONE change the window. The session does everything by itself, also when the script is ended. A host
# that would not be back by six waits for the next night. The other variables are in ../session.sh.
source "$(dirname "$0")/../session.sh"

days='["mon", "tue", "wed", "thu", "fri", "sat", "sun"]'
window="{ \"days\": $days, \"from\": \"${FROM:-02:00}\", \"to\": \"${TO:-06:00}\", \"time_zone\": \"${TIME_ZONE:-UTC}\" }"

create "\"windows\": [$window], \"canary\": { \"hosts\": 1, \"then\": \"continue\" }" "$@"
follow
