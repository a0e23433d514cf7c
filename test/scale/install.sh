#!/usr/bin/env bash
# Installs the servers of `npm run test:scale` from Debian. Exits 3 with a sentence where that cannot be done.
set -uo pipefail
missing=()
command -v radosgw > /dev/null && command -v ceph-osd > /dev/null && command -v ceph-mgr > /dev/null ||
  missing+=(radosgw ceph-mon ceph-osd ceph-mgr ceph-common)
ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || missing+=(postgresql)
[ ${#missing[@]} -eq 0 ] && exit 0
command -v apt-get > /dev/null || { echo "there is no apt-get to install ${missing[*]} with"; exit 3; }
[ "$(id -u)" = 0 ] || { echo "only root can install ${missing[*]}"; exit 3; }
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# The packages would start servers of their own.
policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\nexit 101\n' > $policy && chmod +x $policy && trap "rm -f $policy" EXIT; }
apt-get update > "$log" 2>&1 && apt-get install -o DPkg::Lock::Timeout=300 -y --no-install-recommends "${missing[@]}" >> "$log" 2>&1 ||
  { echo "apt-get could not install ${missing[*]}: $(tail -1 "$log")"; exit 3; }
