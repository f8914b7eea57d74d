# Runs a command as a container engine would: as process 1, as another user, in a root file system that is read-only
# except for /data and /tmp. Needs root and Linux namespaces, in which this script runs (`unshare`).
# Usage: container.sh ROOT DATA REPOSITORY NODE ARGUMENTS…
set -eu
root=$1 data=$2 repository=$3 node=$4
shift 4
user=10001

mount -t tmpfs tmpfs "$root"
for folder in usr bin lib lib64; do
  if [ -L "/$folder" ]; then
    cp -P "/$folder" "$root/$folder"
  elif [ -d "/$folder" ]; then
    mkdir "$root/$folder"
    mount --bind "/$folder" "$root/$folder"
    mount -o remount,bind,ro "$root/$folder"
  fi
done
mkdir "$root/node" "$root/app" "$root/data" "$root/proc" "$root/tmp" "$root/dev"
cp "$node" "$root/node/node"
mount --bind "$repository" "$root/app"
mount -o remount,bind,ro "$root/app"
chown "$user" "$data"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind /dev "$root/dev"
mount -o remount,ro "$root"
cd "$root/data"
exec chroot --userspec="$user:$user" "$root" /node/node /app/packages/server/bin/service-server.js "$@"
