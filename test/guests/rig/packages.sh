#!/usr/bin/env bash
# packages.sh FOLDER PYTHON   What real guests need: libvirt and QEMU of this machine's Debian, the Python binding of
# libvirt, and a guest: Debian's cloud kernel with an initramfs of busybox that counts. Only root can run guests so.
set -euo pipefail
folder=$1 python=$2
needed=(libvirt-daemon libvirt-daemon-driver-qemu libvirt-clients libvirt-dev pkg-config gcc iproute2 qemu-system-x86 qemu-utils)
if ! dpkg -s "${needed[@]}" > /dev/null 2>&1; then
  # a package must not start its services: each host of the rig starts its own
  policy=/usr/sbin/policy-rc.d
  [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' > "$policy"; chmod +x "$policy"; trap 'rm -f "$policy"' EXIT; }
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${needed[@]}" > /dev/null
fi
mkdir -p "$folder/python" "$folder/root/bin"
"$python" -m pip install -q --disable-pip-version-check --target "$folder/python" "libvirt-python==$(pkg-config --modversion libvirt)"
cd "$folder"
kernel=$(apt-cache depends linux-image-cloud-amd64 | grep -o 'linux-image-[0-9][^ ]*' | head -1)
apt-get download -q "$kernel" busybox-static > /dev/null
for package in ./*.deb; do dpkg -x "$package" unpacked; done
cp unpacked/boot/vmlinuz-* kernel
busybox=(unpacked/bin/busybox unpacked/usr/bin/busybox)
for program in "${busybox[@]}"; do [ -f "$program" ] && cp "$program" root/bin/; done
printf '%s\n' '#!/bin/busybox sh' 'i=0' 'while true; do i=$((i+1)); /bin/busybox echo tick $i; /bin/busybox sleep 1; done' > root/init
chmod +x root/init
(cd root && find . | ./bin/busybox cpio -o -H newc 2> /dev/null | gzip) > initramfs
rm -rf unpacked root ./*.deb
