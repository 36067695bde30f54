"""Ways to have the kernel hold memory that no limit counts. Each prints ESCAPED where it does.

They run in containers of 64 MB, and without walls, where they must succeed (`plain`).
"""

from __future__ import annotations

from tests.sandbox.attempts import attempt, raw

KERNEL = [
    attempt(
        "fill_the_buffers_of_socket_pairs",
        """
        import socket
        kept, held = [], 0
        while held < 24 << 20:
            pair = socket.socketpair()
            kept.append(pair)
            for one in pair:
                one.setblocking(False)
                try:
                    while True: held += one.send(bytes(65536))
                except BlockingIOError: pass
        print('ESCAPED')
    """,
    ),
    attempt(
        "fill_the_buffers_of_datagram_pairs",
        """
        import socket
        kept, held = [], 0
        while held < 16 << 20:
            pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            kept.append(pair)
            pair[0].setblocking(False)
            try:
                while True: held += pair[0].send(bytes(32768))
            except BlockingIOError: pass
        print('ESCAPED')
    """,
    ),
    attempt(
        "enlarge_a_socket_buffer",
        """
        import os, socket
        try: line = socket.socket(fileno=os.dup(3))
        except OSError: line = socket.socketpair()[0]
        before = line.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * before)
        if line.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) > before: print('ESCAPED')
    """,
    ),
    attempt(
        "park_descriptors_in_a_socket",
        """
        import array, os, socket
        try: out = socket.socket(fileno=os.dup(3))
        except OSError: out, kept = socket.socketpair()
        pipes = os.pipe()
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', pipes))]
        for _ in range(8): out.sendmsg([b' '], rights)
        print('ESCAPED')
    """,
    ),
    raw(
        "keep_shared_memory_by_one_page",
        """
        import mmap
        page, size, held = 4096, 16 << 20, 0
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        while held < 160 << 20:
            at = libc.mmap(None, size, 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0)
            if at == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), 'mmap')
            ctypes.memset(at, 1, size)
            if libc.munmap(ctypes.c_void_p(at + page), ctypes.c_size_t(size - page)): raise OSError
            held += size
        print('ESCAPED')
    """,
    ),
    raw(
        "keep_shared_zeros_by_one_page",
        """
        import mmap
        page, size, held = 4096, 16 << 20, 0
        zeros = os.open('/dev/zero', os.O_RDWR)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        while held < 160 << 20:
            at = libc.mmap(None, size, 3, mmap.MAP_SHARED, zeros, 0)
            if at == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), 'mmap')
            ctypes.memset(at, 1, size)
            if libc.munmap(ctypes.c_void_p(at + page), ctypes.c_size_t(size - page)): raise OSError
            held += size
        print('ESCAPED')
    """,
    ),
    attempt(
        "hold_locks_on_bytes_of_a_file",
        """
        import fcntl, os, struct, tempfile
        F_OFD_GETLK = 36
        path = os.path.join(tempfile.gettempdir(), 'locked')
        file = os.open(path, os.O_RDWR | os.O_CREAT)
        for at in range(0, 4000, 2):
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
        asked = struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 2000, 1, 0)
        found = struct.unpack('hhqqi4x', fcntl.fcntl(file, F_OFD_GETLK, asked))[0]
        os.unlink(path)
        if found != fcntl.F_UNLCK: print('ESCAPED')
    """,
    ),
    attempt(
        "hold_locks_of_an_open_file",
        """
        import fcntl, os, struct, tempfile
        F_OFD_SETLK = 37
        path = os.path.join(tempfile.gettempdir(), 'locked')
        file = os.open(path, os.O_RDWR | os.O_CREAT)
        for at in range(0, 4000, 2):
            fcntl.fcntl(file, F_OFD_SETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, at, 1, 0))
        os.unlink(path)
        print('ESCAPED')
    """,
    ),
    attempt(
        "enlarge_a_pipe",
        """
        import fcntl, os
        out = os.pipe()[1]
        if fcntl.fcntl(out, 1031, 1 << 20) >= 1 << 20: print('ESCAPED')
    """,
    ),
    attempt(
        "enlarge_its_own_output",
        """
        import fcntl, os
        if fcntl.fcntl(1, 1031, 1 << 20) >= 1 << 20: print('ESCAPED')
    """,
    ),
    attempt(
        "fill_many_pipes",
        """
        import os
        kept, held = [], 0
        while held < 16 << 20:
            pair = os.pipe2(os.O_NONBLOCK)
            kept.append(pair)
            try:
                while True: held += os.write(pair[1], bytes(65536))
            except BlockingIOError: pass
        print('ESCAPED')
    """,
    ),
    attempt(
        "write_to_shared_memory_by_name",
        """
        import os
        path = f'/dev/shm/greed-{os.getpid()}'
        with open(path, 'wb') as file: file.write(bytes(1 << 20))
        os.unlink(path)
        print('ESCAPED')
    """,
    ),
    attempt(
        "share_memory_by_the_library",
        """
        from multiprocessing import shared_memory
        kept = shared_memory.SharedMemory(create=True, size=1 << 20)
        kept.close()
        kept.unlink()
        print('ESCAPED')
    """,
    ),
    raw(
        "make_many_memory_files",
        """
        kept = [raw(319, 279, b'x', 0) for _ in range(8)]
        for one in kept: os.ftruncate(one, 8 << 20); os.pwrite(one, bytes(8 << 20), 0)
        print('ESCAPED')
    """,
    ),
    raw("make_a_secret_memory_file", "raw(447, 447, 0); print('ESCAPED')", plain=False),
    raw(
        "make_posix_queues",
        """
        made = raw(240, 180, b'greed%d' % os.getpid(), os.O_RDWR | os.O_CREAT, 0o600, None)
        raw(241, 181, b'greed%d' % os.getpid())
        print('ESCAPED')
    """,
    ),
    raw(
        "make_semaphores",
        """
        made = raw(64, 190, 0, 8000, 0o1600)
        raw(66, 191, made, 0, 0, 0)
        print('ESCAPED')
    """,
    ),
    raw(
        "make_timers",
        """
        made = ctypes.c_int()
        for _ in range(1000): raw(222, 107, 1, None, ctypes.byref(made))
        print('ESCAPED')
    """,
    ),
    raw(
        "make_timer_descriptors",
        "kept = [raw(283, 85, 1, 0) for _ in range(64)]; print('ESCAPED')",
    ),
    raw(
        "make_signal_descriptors",
        """
        mask = ctypes.c_ulong(1 << 33)
        kept = [raw(289, 74, -1, ctypes.byref(mask), 8, 0) for _ in range(64)]
        print('ESCAPED')
    """,
    ),
    attempt(
        "queue_signals_to_itself",
        """
        import os, signal
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
        for _ in range(5000): os.kill(os.getpid(), signal.SIGRTMIN)
        kept = 0
        while signal.sigtimedwait([signal.SIGRTMIN], 0): kept += 1
        if kept > 1000: print('ESCAPED')
    """,
    ),
    raw(
        "pin_memory",
        """
        memory = ctypes.create_string_buffer(4 << 20)
        raw(149, 228, memory, ctypes.c_size_t(4 << 20))
        print('ESCAPED')
    """,
    ),
    raw("pin_all_memory_to_come", "raw(151, 230, 2); print('ESCAPED')"),
    raw(
        "lend_pages_to_a_pipe",
        """
        into = os.pipe()[1]
        memory = ctypes.create_string_buffer(65536)
        vector = (ctypes.c_void_p * 2)(ctypes.addressof(memory), 65536)
        raw(278, 75, into, vector, 1, 0)
        print('ESCAPED')
    """,
    ),
    raw("open_a_filesystem", "raw(430, 430, b'tmpfs', 0); print('ESCAPED')"),
    raw("watch_a_whole_filesystem", "raw(300, 262, 0, 0); print('ESCAPED')"),
    raw(
        "attach_to_a_file",
        """
        import tempfile
        path = os.path.join(tempfile.gettempdir(), 'noted')
        open(path, 'w').close()
        try: raw(188, 5, path.encode(), b'user.x', bytes(2000), 2000, 0)
        finally: os.unlink(path)
        print('ESCAPED')
    """,
        plain=False,
    ),
    attempt(
        "give_libraries_back_for_data",
        """
        import mmap, os, resource
        page, soft = 4096, resource.getrlimit(resource.RLIMIT_DATA)[0]
        if soft == resource.RLIM_INFINITY: print('ESCAPED')
        kept = []
        for _ in range(100): kept.append(mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE))
        print('ESCAPED')
    """,
    ),
]
