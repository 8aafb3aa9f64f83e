package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

const (
	// replyTime bounds the wait for one reply of a peer.
	replyTime = 20 * time.Second
	// peerReady bounds the start of a peer's process, and peerEnd its end.
	peerReady, peerEnd = 20 * time.Second, 10 * time.Second
)

// peerProcess is a server that a driver started in its own folder.
type peerProcess struct {
	cmd     *exec.Cmd
	dir     string
	address string
}

// startPeer starts a program in a folder, and waits until it accepts connections.
func startPeer(ctx context.Context, dir, address, program string, args ...string) (*peerProcess, error) {
	logFile := filepath.Join(dir, "log.txt")
	out, err := os.Create(logFile)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	// The process outlives the time for its start.
	p := &peerProcess{
		cmd: exec.CommandContext(context.WithoutCancel(ctx), program, args...), dir: dir, address: address,
	}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, out, out
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(lookPause) {
		if conn, err := net.Dial("tcp", address); err == nil {
			return p, conn.Close()
		}
		if ctx.Err() != nil || time.Since(began) > peerReady {
			text, err := os.ReadFile(logFile)
			p.stop()
			return nil, errors.Join(fmt.Errorf("%s does not accept connections: %s", program, lastLine(text)), err)
		}
	}
}

// stop ends the process, if it runs, and removes its folder. Errors do not matter once the figures
// are measured.
func (p *peerProcess) stop() {
	defer func() { _ = os.RemoveAll(p.dir) }()
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	late := time.AfterFunc(peerEnd, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	_ = p.cmd.Wait()
}

// runProgram runs a program to its end. The error has the last line of its output.
func runProgram(ctx context.Context, dir, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, lastLine(out))
	}
	return nil
}

func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

// replies matches a connection's replies with its requests. Ids begin with name, which is unique
// among the clients of a room.
type replies[R any] struct {
	name    string
	mu      sync.Mutex
	last    int
	waiting map[string]chan R
}

// ask sends a request with a new id, and waits for its reply.
func (r *replies[R]) ask(ctx context.Context, send func(id string) error) (reply R, err error) {
	arrived := make(chan R, 1)
	r.mu.Lock()
	r.last++
	id := fmt.Sprintf("%s-%d", r.name, r.last)
	if r.waiting == nil {
		r.waiting = map[string]chan R{}
	}
	r.waiting[id] = arrived
	r.mu.Unlock()
	if err := send(id); err != nil {
		return reply, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, replyTime, errors.New("no reply"))
	defer cancel()
	select {
	case reply = <-arrived:
		return reply, nil
	case <-ctx.Done():
		return reply, context.Cause(ctx)
	}
}

// got delivers a reply to its request, if it is one.
func (r *replies[R]) got(id string, reply R) {
	r.mu.Lock()
	arrived := r.waiting[id]
	delete(r.waiting, id)
	r.mu.Unlock()
	if arrived != nil {
		arrived <- reply
	}
}

// postgresUser is the user of Debian's package. PostgreSQL refuses to run as root.
const postgresUser = "postgres"

// postgres is a PostgreSQL with its own folder.
type postgres struct{ programs, dir, port string }

// startPostgres makes a database and serves it on a free port. Commits are flushed, as by default.
func startPostgres(ctx context.Context, programs string) (*postgres, error) {
	if _, err := exec.LookPath(filepath.Join(programs, "initdb")); err != nil {
		return nil, fmt.Errorf("PostgreSQL is not in %q: install Debian's postgresql-15", programs)
	}
	dir, err := os.MkdirTemp("", "parley-postgres-")
	if err != nil {
		return nil, err
	}
	p := &postgres{programs: programs, dir: dir}
	if err := p.start(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *postgres) start(ctx context.Context) (err error) {
	if p.port, err = freePort(); err != nil {
		return err
	}
	if err := p.giveAway(); err != nil {
		return err
	}
	if err := p.run(
		ctx, "initdb", "-D", p.data(), "-U", postgresUser, "--auth=trust", "--no-locale", "-E", "UTF8",
	); err != nil {
		return err
	}
	return p.run(
		ctx, "pg_ctl", "start", "-w", "-D", p.data(), "-l", filepath.Join(p.dir, "log.txt"), "-o",
		"-h 127.0.0.1 -p "+p.port+" -k "+p.dir,
	)
}

func (p *postgres) data() string { return filepath.Join(p.dir, "data") }

// giveAway makes the folder postgresUser's if this process is root.
func (p *postgres) giveAway() error {
	if os.Getuid() != 0 {
		return nil
	}
	owner, err := user.Lookup(postgresUser)
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(owner.Uid)
	gid, err2 := strconv.Atoi(owner.Gid)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	return os.Chown(p.dir, uid, gid)
}

// run runs a program of PostgreSQL, as postgresUser if this process is root.
func (p *postgres) run(ctx context.Context, program string, args ...string) error {
	program = filepath.Join(p.programs, program)
	if os.Getuid() == 0 {
		program, args = "runuser", append([]string{"-u", postgresUser, "--", program}, args...)
	}
	return runProgram(ctx, p.dir, program, args...)
}

// stop ends the server and removes its folder.
func (p *postgres) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), peerEnd)
	defer cancel()
	_ = p.run(ctx, "pg_ctl", "stop", "-w", "-m", "fast", "-D", p.data()) // it may not run
	_ = os.RemoveAll(p.dir)
}
