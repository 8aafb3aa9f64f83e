package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
)

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
