# Runs the server as a container engine would: as process 1, as another user, in a root file system that is read-only
# except for /data and /tmp, and has nothing but Node.js, its libraries and the app.
# Needs root and Linux namespaces, in which this script runs (`unshare`).
# Usage: container.sh ROOT DATA APP NODE MAIN ARGUMENTS…   (APP becomes /app, MAIN is a path in it)
set -eu
root=$1 data=$2 app=$3 node=$4 main=$5
shift 5
user=10001

mount -t tmpfs tmpfs "$root"
mkdir -p "$root/usr/local/bin" "$root/app" "$root/data" "$root/proc" "$root/tmp" "$root/dev"
cp "$node" "$root/usr/local/bin/node"
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
mount --bind "$app" "$root/app"
mount -o remount,bind,ro "$root/app"
chown "$user" "$data"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind /dev "$root/dev"
mount -o remount,ro "$root"
cd "$root/data"
exec chroot --userspec="$user:$user" "$root" /usr/local/bin/node "/app/$main" "$@"
