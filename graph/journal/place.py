"""Where a journal may stand: not on a network file system, whose locks and shared memory do not hold."""

from pathlib import Path

from hornbook.graph.errors import StoreError

# 9p is left out: it is also how virtual machines and WSL mount a local disk
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "ceph", "glusterfs", "lustre", "gpfs"}
NETWORK |= {f"fuse.{name}" for name in ("sshfs", "glusterfs", "ceph", "rclone", "s3fs", "gcsfuse", "davfs")}
MOUNTS = Path("/proc/mounts")


def is_network(path: Path, mounts: str | None = None) -> bool:
    """Whether a path is on a network file system, by the table of mounts (Linux; elsewhere False).

    >>> table = "/dev/sda1 / ext4 rw 0 0\\nhost:/x /home/ana nfs4 rw 0 0"
    >>> is_network(Path("/home/ana/store/journal.db"), table), is_network(Path("/home/anabel"), table)
    (True, False)
    """
    if mounts is None:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace") if MOUNTS.exists() else ""
    absolute = path.absolute()
    kinds = {Path(unescaped(place)): kind for place, kind in map(place_and_kind, mounts.splitlines()) if place}
    for folder in (absolute, *absolute.parents):
        if folder in kinds:
            return kinds[folder] in NETWORK
    return False


def place_and_kind(line: str) -> tuple[str, str]:
    """The mount point and the file system of one line of the table."""
    parts = line.split()
    return (parts[1], parts[2]) if len(parts) > 2 else ("", "")


def unescaped(place: str) -> str:
    r"""A mount point as it is named on disk.

    >>> unescaped(r"/mnt/my\040disk")
    '/mnt/my disk'
    """
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, char)
    return place


def check_place(path: Path, *, pack: bool, mounts: str | None = None) -> None:
    """Refuse a path where a journal cannot stand."""
    if path.is_dir():
        raise StoreError("a directory stands where the journal's file should be", hint="name a file, or move it away")
    if path.parent.exists() and not path.parent.is_dir():
        raise StoreError("a file stands where the store's directory should be", hint="name another directory")
    if not pack and is_network(path, mounts):
        raise StoreError(
            "the store's directory is on a network file system, where two writers can destroy a journal",
            hint="keep the store on a local disk; move it with `pack`, or copy it there with `backup`",
        )
