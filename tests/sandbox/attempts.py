"""Ways out that were thought of. Each prints ESCAPED where it succeeds.

`{secret}` and the like are filled in by the tests. An attempt with `plain` is also tried without
walls, where it must succeed: one that fails everywhere would prove nothing.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

_RAW = """
    import ctypes, os, platform
    libc = ctypes.CDLL(None, use_errno=True)
    X86 = platform.machine() == "x86_64"
    def raw(x86, arm, *args):
        args = [ctypes.c_long(one) if isinstance(one, int) else one for one in args]
        result = libc.syscall(ctypes.c_long(x86 if X86 else arm), *args)
        if result < 0:
            raise OSError(ctypes.get_errno(), "syscall")
        return result
"""


@dataclass(frozen=True)
class Attempt:
    name: str
    code: str
    plain: bool = True


def attempt(name: str, code: str, *, plain: bool = True) -> Attempt:
    return Attempt(name, textwrap.dedent(code), plain)


def raw(name: str, code: str, *, plain: bool = True) -> Attempt:
    return Attempt(name, textwrap.dedent(_RAW) + textwrap.dedent(code), plain)


FILES = [
    attempt("read_passwd", "open('/etc/passwd').read(); print('ESCAPED')"),
    attempt("read_shadow", "open('/etc/shadow').read(); print('ESCAPED')"),
    attempt("read_a_secret_of_the_server", "open('{secret}').read(); print('ESCAPED')"),
    attempt(
        "read_with_pathlib",
        "import pathlib; pathlib.Path('{secret}').read_bytes(); print('ESCAPED')",
    ),
    attempt(
        "read_with_pandas",
        "import pandas; pandas.read_csv('/etc/passwd', sep=':'); print('ESCAPED')",
    ),
    attempt(
        "read_with_numpy", "import numpy; numpy.fromfile('{secret}', dtype='u1'); print('ESCAPED')"
    ),
    attempt(
        "read_by_relative_path",
        "open('../../../../../../../../../../etc/passwd').read(); print('ESCAPED')",
    ),
    attempt(
        "read_through_a_folder_descriptor",
        """
        import os
        root = os.open('/', os.O_PATH)
        os.read(os.open('etc/passwd', os.O_RDONLY, dir_fd=root), 10)
        print('ESCAPED')
    """,
    ),
    attempt(
        "read_through_a_symlink",
        """
        import os, tempfile
        link = os.path.join(tempfile.mkdtemp(), 'link')
        os.symlink('{secret}', link)
        open(link).read()
        print('ESCAPED')
    """,
    ),
    attempt(
        "read_through_a_hard_link",
        """
        import os
        link = '{secret}' + '.link'
        os.link('{secret}', link)
        print('ESCAPED')
    """,
    ),
    attempt(
        "read_what_another_container_was_given", "open('{other_file}').read(); print('ESCAPED')"
    ),
    attempt(
        "list_the_root",
        """
        import os
        if 'etc' in os.listdir('/') and os.listdir('/etc'): print('ESCAPED')
    """,
    ),
    attempt("list_the_run_folder", "import os; os.listdir('{run_folder}'); print('ESCAPED')"),
    attempt(
        "glob_for_keys",
        """
        import glob, os
        homes = [home for home in ('/root', *glob.glob('/home/*')) if os.path.isdir(home)]
        if glob.glob('/etc/*') or any(os.listdir(home) for home in homes): print('ESCAPED')
    """,
    ),
    attempt(
        "walk_proc",
        """
        import os
        if any(name.isdigit() for name in os.listdir('/proc')): print('ESCAPED')
    """,
    ),
    attempt("write_a_file_of_the_host", "open('{marker}', 'w').write('x'); print('ESCAPED')"),
    attempt("make_a_folder_of_the_host", "import os; os.mkdir('{marker}.d'); print('ESCAPED')"),
    attempt(
        "write_into_the_standard_library",
        """
        import os
        path = os.path.join(os.path.dirname(os.__file__), '_escape_probe.py')
        open(path, 'w').close()
        os.unlink(path)
        print('ESCAPED')
    """,
    ),
    attempt(
        "change_the_standard_library",
        """
        import os
        os.chmod(os.__file__, os.stat(os.__file__).st_mode)
        open(os.__file__, 'r+').close()
        print('ESCAPED')
    """,
    ),
    attempt("overwrite_its_data", "open('{data}', 'r+b').close(); print('ESCAPED')"),
    attempt(
        "truncate_its_data",
        """
        import os
        os.truncate('{data}', os.stat('{data}').st_size)
        print('ESCAPED')
    """,
    ),
    attempt(
        "replace_its_data",
        """
        import os
        os.rename('{data}', '{data}.old')
        os.rename('{data}.old', '{data}')
        print('ESCAPED')
    """,
    ),
    attempt("touch_its_data", "import os; os.utime('{data}', (1, 1)); print('ESCAPED')"),
    attempt(
        "make_a_device",
        """
        import os, stat, tempfile
        os.mknod(tempfile.mkdtemp() + '/disk', stat.S_IFBLK | 0o600, os.makedev(254, 0))
        print('ESCAPED')
    """,
    ),
    attempt(
        "read_the_kernel_log", "import os; os.open('/dev/kmsg', os.O_RDONLY); print('ESCAPED')"
    ),
    attempt(
        "open_a_disk",
        """
        import os
        for name in open('/proc/partitions').read().split()[7::4]:
            os.open('/dev/' + name, os.O_RDONLY)
            print('ESCAPED')
            break
    """,
    ),
    attempt(
        "read_with_duckdb",
        """
        import duckdb
        if duckdb.sql("select content from read_text('/etc/passwd')").fetchall(): print('ESCAPED')
    """,
    ),
    attempt(
        "write_with_duckdb",
        """
        import duckdb
        duckdb.sql("copy (select 1) to '{marker}.csv'")
        print('ESCAPED')
    """,
    ),
    attempt(
        "write_with_sqlite",
        """
        import sqlite3
        sqlite3.connect('{marker}.db').execute('create table t(x)')
        print('ESCAPED')
    """,
    ),
    attempt(
        "load_a_library_it_wrote",
        """
        import ctypes, os, shutil, tempfile
        import _ctypes
        copy = os.path.join(tempfile.mkdtemp(), 'copy.so')
        shutil.copyfile(_ctypes.__file__, copy)
        ctypes.CDLL(copy)
        print('ESCAPED')
    """,
    ),
]

PROC = [
    attempt("read_own_environment_in_proc", "open('/proc/self/environ').read(); print('ESCAPED')"),
    attempt("read_own_memory_map", "open('/proc/self/maps').read(); print('ESCAPED')"),
    attempt("write_own_memory", "open('/proc/self/mem', 'r+b').close(); print('ESCAPED')"),
    attempt(
        "read_the_servers_environment", "open('/proc/{host_pid}/environ').read(); print('ESCAPED')"
    ),
    attempt(
        "enter_the_root_of_process_one", "open('/proc/1/root/etc/passwd').read(); print('ESCAPED')"
    ),
    attempt(
        "read_the_zygotes_command_line", "open('/proc/{zygote}/cmdline').read(); print('ESCAPED')"
    ),
    attempt(
        "read_the_zygotes_memory", "open('/proc/{zygote}/mem', 'rb').close(); print('ESCAPED')"
    ),
    attempt(
        "raise_its_own_oom_score",
        "open('/proc/self/oom_score_adj', 'w').write('0'); print('ESCAPED')",
    ),
    attempt("read_kernel_settings", "open('/proc/sys/kernel/hostname').read(); print('ESCAPED')"),
    attempt("read_the_network_of_the_host", "open('/proc/net/dev').read(); print('ESCAPED')"),
    attempt("list_network_devices", "import os; os.listdir('/sys/class/net'); print('ESCAPED')"),
]

NETWORK = [
    attempt(
        "connect_to_the_server",
        """
        import socket
        socket.create_connection(('127.0.0.1', {port}), 2)
        print('ESCAPED')
    """,
    ),
    attempt(
        "fetch_from_the_server",
        """
        import asyncio
        asyncio.run(asyncio.open_connection('127.0.0.1', {port}))
        print('ESCAPED')
    """,
    ),
    attempt(
        "send_a_datagram",
        """
        import socket
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))
        print('ESCAPED')
    """,
    ),
    attempt(
        "listen_on_a_port",
        """
        import socket
        server = socket.socket()
        server.bind(('127.0.0.1', 0))
        server.listen()
        print('ESCAPED')
    """,
    ),
    attempt(
        "connect_to_a_unix_socket_of_the_host",
        """
        import socket
        socket.socket(socket.AF_UNIX).connect('{unix}')
        print('ESCAPED')
    """,
    ),
    attempt(
        "connect_to_an_abstract_socket_of_the_host",
        """
        import socket
        socket.socket(socket.AF_UNIX).connect('\\0{abstract}')
        print('ESCAPED')
    """,
    ),
    attempt(
        "send_to_an_abstract_socket_over_a_pair",
        """
        import socket
        one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.sendto(b'x', '\\0{abstract}.datagrams')
        print('ESCAPED')
    """,
    ),
    attempt(
        "open_a_raw_socket",
        """
        import socket
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        print('ESCAPED')
    """,
    ),
    attempt(
        "open_a_packet_socket",
        """
        import socket
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        print('ESCAPED')
    """,
    ),
    attempt(
        "ask_netlink",
        """
        import socket
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        print('ESCAPED')
    """,
    ),
    attempt(
        "open_a_kernel_crypto_socket",
        "import socket; socket.socket(38, socket.SOCK_SEQPACKET); print('ESCAPED')",
        plain=False,
    ),
    attempt(
        "install_a_duckdb_extension",
        """
        import duckdb
        duckdb.sql("install httpfs")
        print('ESCAPED')
    """,
        plain=False,
    ),
    attempt(
        "fetch_with_duckdb",
        """
        import duckdb
        duckdb.sql("select * from read_csv('http://127.0.0.1:{port}/x.csv')").fetchall()
        print('ESCAPED')
    """,
        plain=False,
    ),
]

PROCESSES = [
    attempt("fork", "import os\nif os.fork() == 0: os._exit(0)\nprint('ESCAPED')"),
    attempt(
        "run_a_shell",
        "import subprocess; subprocess.run(['/bin/sh', '-c', 'true'], check=True); print('ESCAPED')",
    ),
    attempt("system", "import os\nif os.system('true') == 0: print('ESCAPED')"),
    attempt("spawn", "import os; os.posix_spawn('/bin/true', ['true'], dict()); print('ESCAPED')"),
    attempt("become_another_program", "import os; os.execv('/bin/echo', ['echo', 'ESCAPED'])"),
    attempt(
        "become_the_interpreter_again",
        """
        import os, sys
        os.execv(sys.executable, [sys.executable, '-c', 'print("ESCAPED")'])
    """,
    ),
    attempt(
        "run_a_program_from_memory",
        """
        import os
        program = os.memfd_create('program')
        os.write(program, open('/bin/echo', 'rb').read())
        os.execve(program, ['echo', 'ESCAPED'], dict())
    """,
    ),
    attempt(
        "start_a_worker_process",
        """
        import multiprocessing
        worker = multiprocessing.get_context('fork').Process(target=lambda: None)
        worker.start()
        worker.join()
        print('ESCAPED')
    """,
    ),
    raw(
        "fork_by_number",
        """
        if not X86: raise SystemExit
        pid = raw(57, 0)
        if pid == 0: os._exit(0)
        print('ESCAPED')
    """,
    ),
    raw(
        "vfork_style_clone",
        """
        import signal
        pid = raw(56, 220, ctypes.c_ulong(signal.SIGCHLD), None, None, None, None)
        if pid == 0: os._exit(0)
        print('ESCAPED')
    """,
    ),
    raw(
        "clone3",
        """
        import signal, struct
        wanted = ctypes.create_string_buffer(struct.pack('8Q', 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0))
        pid = raw(435, 435, wanted, ctypes.c_size_t(64))
        if pid == 0: os._exit(0)
        print('ESCAPED')
    """,
    ),
]

SIGNALS = [
    attempt("signal_the_server", "import os; os.kill({host_pid}, 0); print('ESCAPED')"),
    attempt("signal_the_zygote", "import os; os.kill({zygote}, 0); print('ESCAPED')"),
    attempt("kill_the_zygote", "import os; os.kill({zygote}, 9); print('ESCAPED')", plain=False),
    attempt("kill_everything", "import os; os.kill(-1, 9); print('ESCAPED')", plain=False),
    attempt(
        "kill_its_group",
        "import os, signal; os.killpg(0, signal.SIGKILL); print('ESCAPED')",
        plain=False,
    ),
    attempt(
        "kill_another_container",
        "import os; os.kill({other_pid}, 9); print('ESCAPED')",
        plain=False,
    ),
    attempt(
        "hold_the_zygote_by_descriptor", "import os; os.pidfd_open({zygote}); print('ESCAPED')"
    ),
    raw("signal_a_thread_by_number", "raw(200, 130, {zygote}, 0); print('ESCAPED')"),
    raw(
        "queue_a_signal",
        """
        info = ctypes.create_string_buffer(128)
        raw(129, 138, {host_pid}, 0, info)
        print('ESCAPED')
    """,
        plain=False,
    ),
    attempt(
        "have_the_kernel_signal_the_zygote",
        """
        import fcntl, os, socket
        one, two = socket.socketpair()
        fcntl.fcntl(one, fcntl.F_SETOWN, {zygote})
        print('ESCAPED')
    """,
    ),
]

SYSCALLS = [
    raw("trace_the_zygote", "raw(101, 117, 0x4206, {zygote}, 0, 0); print('ESCAPED')", plain=False),
    raw("be_traced", "raw(101, 117, 0, 0, 0, 0); print('ESCAPED')"),
    raw(
        "read_the_zygotes_memory_by_call",
        """
        memory = ctypes.create_string_buffer(16)
        vector = (ctypes.c_void_p * 2)(ctypes.addressof(memory), 16)
        raw(310, 270, {host_pid}, vector, 0, vector, 0, 0)
        print('ESCAPED')
    """,
    ),
    raw(
        "mount_a_filesystem",
        """
        import tempfile
        raw(165, 40, b'none', tempfile.mkdtemp().encode(), b'tmpfs', 0, None)
        print('ESCAPED')
    """,
    ),
    raw("unmount_its_root", "raw(166, 39, b'/box', 2); print('ESCAPED')", plain=False),
    raw("change_root", "raw(161, 51, b'/'); print('ESCAPED')"),
    raw("open_a_mount_tree", "raw(428, 428, -100, b'/', 1); print('ESCAPED')"),
    raw("enter_a_new_user_namespace", "raw(272, 97, ctypes.c_ulong(0x10000000)); print('ESCAPED')"),
    raw(
        "enter_a_new_mount_namespace", "raw(272, 97, ctypes.c_ulong(0x00020000)); print('ESCAPED')"
    ),
    raw("join_another_namespace", "raw(308, 268, 0, 0); print('ESCAPED')", plain=False),
    raw("become_root", "raw(105, 146, 0); print('ESCAPED')"),
    raw(
        "take_capabilities",
        """
        import struct
        header = ctypes.create_string_buffer(struct.pack('=Ii', 0x20080522, 0))
        wanted = ctypes.create_string_buffer(struct.pack('=6I', 1, 1, 0, 0, 0, 0))
        raw(126, 91, header, wanted)
        print('ESCAPED')
    """,
    ),
    raw(
        "load_a_kernel_program",
        "raw(321, 280, 0, ctypes.create_string_buffer(128), 128); print('ESCAPED')",
        plain=False,
    ),
    raw("make_an_io_ring", "raw(425, 425, 1, ctypes.create_string_buffer(120)); print('ESCAPED')"),
    raw("handle_page_faults", "raw(323, 282, 1); print('ESCAPED')"),
    raw(
        "watch_performance",
        "raw(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0); print('ESCAPED')",
        plain=False,
    ),
    raw(
        "add_a_key", "raw(248, 217, b'user', b'probe', b'x', 1, -3); print('ESCAPED')", plain=False
    ),
    raw("make_a_memory_file", "raw(319, 279, b'x', 0); print('ESCAPED')"),
    raw("share_memory", "raw(29, 194, 0, 4096, 0o1600); print('ESCAPED')"),
    raw("make_a_message_queue", "raw(68, 186, 0, 0o1600); print('ESCAPED')"),
    raw(
        "rename_the_machine",
        "raw(170, 161, os.uname().nodename.encode(), len(os.uname().nodename)); print('ESCAPED')",
    ),
    raw(
        "set_the_clock",
        "raw(227, 112, 0, (ctypes.c_long * 2)(1, 0)); print('ESCAPED')",
        plain=False,
    ),
    raw("reboot", "raw(169, 142, 0, 0, 0, None); print('ESCAPED')", plain=False),
    raw("load_a_module", "raw(313, 273, 0, b'', 0); print('ESCAPED')", plain=False),
    raw("change_personality", "raw(135, 92, 0x0040000); print('ESCAPED')"),
    raw("outlive_its_parent", "raw(157, 167, 1, 0, 0, 0, 0); print('ESCAPED')"),
    raw("become_dumpable", "raw(157, 167, 4, 1, 0, 0, 0); print('ESCAPED')"),
    raw(
        "pin_the_zygote_to_a_processor",
        """
        mask = (ctypes.c_ulong * 16)(1)
        raw(203, 122, {zygote}, 128, mask)
        print('ESCAPED')
    """,
    ),
    raw("watch_files", "raw(294, 26, 0); print('ESCAPED')"),
    raw(
        "open_by_handle",
        "raw(304, 265, 0, ctypes.create_string_buffer(64), 0); print('ESCAPED')",
        plain=False,
    ),
    attempt(
        "raise_its_limits",
        """
        import resource
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard + 1))
        print('ESCAPED')
    """,
    ),
    raw(
        "call_in_the_32_bit_convention",
        """
        import mmap
        if not X86: raise SystemExit
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))  # getpid, as i386 numbers it
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        if ctypes.CFUNCTYPE(ctypes.c_int)(address)() > 0: print('ESCAPED', flush=True)
    """,
        plain=False,
    ),
    raw(
        "call_in_the_x32_convention",
        """
        if X86 and libc.syscall(0x40000000 + 39) > 0: print('ESCAPED', flush=True)
    """,
        plain=False,
    ),
]

SECRETS = [
    attempt(
        "read_the_environment",
        "import os\nif '{secret_value}' in str(os.environ): print('ESCAPED')",
    ),
    attempt(
        "read_the_environment_of_c",
        """
        import ctypes
        libc = ctypes.CDLL(None)
        libc.getenv.restype = ctypes.c_char_p
        if libc.getenv(b'BANCADA_TEST_SECRET'): print('ESCAPED')
    """,
    ),
    attempt(
        "read_the_original_environment_block",
        """
        import ctypes
        environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), 'environ')
        index = 0
        while environ and environ[index]:
            if b'{secret_value}' in environ[index]: print('ESCAPED')
            index += 1
    """,
    ),
    attempt(
        "search_every_object_for_the_secret",
        """
        import gc
        wanted = 'canary-' + '{secret_tail}'
        for thing in gc.get_objects():
            if isinstance(thing, dict) and any(
                isinstance(value, (str, bytes)) and str(value).find(wanted) >= 0
                for key, value in list(thing.items()) if key not in ('wanted', 'code')
            ):
                print('ESCAPED')
    """,
        plain=False,
    ),
    attempt(
        "use_an_inherited_descriptor",
        """
        import os, stat
        for number in range(3, 1024):
            try: mode = os.fstat(number).st_mode
            except OSError: continue
            if stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISCHR(mode): print('ESCAPED', number)
    """,
        plain=False,
    ),
    attempt(
        "receive_a_descriptor",
        """
        import socket
        line = socket.socket(fileno=3)
        data, rights, *_ = line.recvmsg(100, 100, socket.MSG_DONTWAIT)
        if rights: print('ESCAPED')
    """,
        plain=False,
    ),
    attempt(
        "read_standard_input", "import sys\nif sys.stdin.read(): print('ESCAPED')", plain=False
    ),
]

SIGHT = [
    attempt("look_at_a_secret", "import os; os.stat('{secret}'); print('ESCAPED')"),
    attempt("look_at_what_a_link_is", "import os; os.lstat('{secret}'); print('ESCAPED')"),
    attempt("ask_whether_a_secret_is_there", "import os\nif os.access('{secret}', 0): print('ESCAPED')"),
    attempt(
        "hold_a_secret_without_opening_it",
        "import os; os.fstat(os.open('{secret}', os.O_PATH)); print('ESCAPED')",
    ),
    attempt(
        "tell_a_file_from_none_by_the_error",
        """
        try: open('{secret}').read(); print('ESCAPED')
        except PermissionError: print('ESCAPED')
    """,
    ),
    attempt("look_at_passwords", "import os; os.stat('/etc/passwd'); print('ESCAPED')"),
    attempt("go_to_a_folder", "import os; os.chdir(os.path.dirname('{secret}')); print('ESCAPED')"),
    attempt("ask_how_full_the_disk_is", "import os; os.statvfs('/home'); print('ESCAPED')"),
    attempt("look_at_another_process", "import os; os.stat('/proc/{host_pid}'); print('ESCAPED')"),
    attempt(
        "tell_a_process_from_none_by_the_error",
        """
        try: open('/proc/{host_pid}/stat').read(); print('ESCAPED')
        except PermissionError: print('ESCAPED')
    """,
    ),
    attempt(
        "look_for_processes_by_number",
        """
        import os
        if any(os.path.exists(f'/proc/{number}') for number in range(1, 400000)): print('ESCAPED')
    """.replace("{number}", "%d").replace("f'/proc/%d'", "'/proc/%d' % number"),
    ),
    attempt("ask_for_another_session", "import os; os.getsid({host_pid}); print('ESCAPED')"),
    attempt("ask_for_another_group", "import os; os.getpgid({host_pid}); print('ESCAPED')"),
    attempt(
        "ask_for_another_priority",
        "import os; os.getpriority(os.PRIO_PROCESS, {host_pid}); print('ESCAPED')",
    ),
    attempt(
        "ask_for_anothers_processors", "import os; os.sched_getaffinity({host_pid}); print('ESCAPED')"
    ),
    attempt(
        "ask_for_anothers_scheduler", "import os; os.sched_getscheduler({host_pid}); print('ESCAPED')"
    ),
    attempt(
        "read_anothers_clock",
        "import time; time.clock_gettime((~{host_pid} << 3) | 2); print('ESCAPED')",
    ),
    attempt(
        "ask_for_anothers_limits",
        "import resource; resource.prlimit({host_pid}, resource.RLIMIT_AS); print('ESCAPED')",
    ),
]  # fmt: skip

ATTEMPTS = [*FILES, *PROC, *NETWORK, *PROCESSES, *SIGNALS, *SYSCALLS, *SECRETS, *SIGHT]
