package engine

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// loopback is the address that only this machine reaches.
	loopback = "127.0.0.1"
	// portAttempts limits the search for a free port. Another process can take a free port before
	// the engine binds it, but hardly ten times in a row.
	portAttempts = 10
	// listening is the beginning of the line that the engine writes once it listens on its port.
	// Only that line proves that the process at the port is our child.
	listening = "Dynoxide listening on "
	// portTaken is part of the engine's message about a port in use.
	portTaken = "in use"
	// maxComplaint limits how much of the engine's output an error holds. The reason is at the end
	// of the output.
	maxComplaint = 2 << 10
)

var errPortTaken = errors.New("another process took the port")

// child is the engine's process.
type child struct {
	cmd   *exec.Cmd
	host  string
	port  int
	ready chan struct{} // closed when it has its port
	done  chan struct{} // closed after the process has ended

	mu        sync.Mutex
	complaint string
	waitErr   error
}

// startOnPort starts the engine on the configured port, or on a free one.
func startOnPort(ctx context.Context, program string, cfg Config, c *claim) (*child, error) {
	if cfg.Port != 0 {
		ch, err := startChild(ctx, program, cfg.Port, cfg, c)
		if errors.Is(err, errPortTaken) {
			return nil, fmt.Errorf("start the engine on port %d: the port is in use", cfg.Port)
		}
		return ch, err
	}
	for range portAttempts {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		ch, err := startChild(ctx, program, port, cfg, c)
		if !errors.Is(err, errPortTaken) {
			return ch, err
		}
	}
	return nil, fmt.Errorf("find a free port, %d times: %w", portAttempts, errPortTaken)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp4", loopback+":0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

func startChild(ctx context.Context, program string, port int, cfg Config, c *claim) (*child, error) {
	ch := &child{host: cmp.Or(cfg.Host, loopback), port: port, ready: make(chan struct{}), done: make(chan struct{})}
	args := []string{"serve", "--host", ch.host, "--port", strconv.Itoa(port)}
	if cfg.File != "" {
		args = append(args, "--db-path", cfg.File)
	}
	ch.cmd = exec.Command(program, args...)
	ch.cmd.SysProcAttr = childAttributes()
	ch.cmd.ExtraFiles = c.inherited()
	if err := ch.run(cfg.Log); err != nil {
		return nil, err
	}
	if err := ch.awaitReady(ctx); err != nil {
		ch.kill()
		<-ch.done
		return nil, err
	}
	return ch, nil
}

// run starts the process and waits for its end. It starts it from a thread that lives as long as
// the process, because Linux ends the child together with the thread that started it.
func (c *child) run(log *slog.Logger) error {
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("create the engine's pipe: %w", err)
	}
	c.cmd.Stderr = w
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.cmd.Start()
		_ = w.Close() // the child has its own copy, and the reader must see the end of file
		started <- err
		if err != nil {
			_ = r.Close()
			return
		}
		read := make(chan struct{})
		go func() { defer close(read); c.listen(r, log) }()
		err = c.cmd.Wait()
		<-read
		c.mu.Lock()
		c.waitErr = err
		c.mu.Unlock()
		close(c.done)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start %s: %w", c.cmd.Path, err)
	}
	return nil
}

// listen reads the engine's output until the engine ends.
func (c *child) listen(r io.ReadCloser, log *slog.Logger) {
	defer func() { _ = r.Close() }()
	lines := bufio.NewReader(r)
	ready := false
	for {
		line, err := lines.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" {
			log.Debug("engine output", "text", text)
			c.note(text)
			if !ready && strings.HasPrefix(text, listening) {
				ready = true
				close(c.ready)
			}
		}
		if err != nil {
			return
		}
	}
}

func (c *child) note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complaint += text + "; "
	if over := len(c.complaint) - maxComplaint; over > 0 {
		c.complaint = strings.ToValidUTF8(c.complaint[over:], "")
	}
}

func (c *child) awaitReady(ctx context.Context) error {
	select {
	case <-c.ready:
		return awaitAnswer(ctx, c.endpoint())
	case <-c.done:
		if err := c.failure(); !strings.Contains(err.Error(), portTaken) {
			return err
		}
		return errPortTaken
	case <-ctx.Done():
		return fmt.Errorf("wait for the engine to listen: %w", ctx.Err())
	}
}

// failure returns an error that describes how a finished process ended.
func (c *child) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	said := strings.TrimSuffix(c.complaint, "; ")
	if c.waitErr != nil {
		return fmt.Errorf("engine ended: %w, with the output %q", c.waitErr, said)
	}
	return fmt.Errorf("engine ended with the output %q", said)
}

func (c *child) endpoint() string { return "http://" + net.JoinHostPort(c.host, strconv.Itoa(c.port)) }
func (c *child) pid() int         { return c.cmd.Process.Pid }

// A signal to a process that has just ended is not an error: the caller then waits for done.
func (c *child) kill()      { _ = c.cmd.Process.Kill() }
func (c *child) terminate() { _ = terminate(c.cmd.Process) }

const (
	// answerTimeout limits one request to an engine on this machine.
	answerTimeout = 2 * time.Second
	// answerPause is the wait between two requests.
	answerPause = 10 * time.Millisecond
	// answerAttempts limits the number of requests. A child process answers the first one. The
	// others allow for an engine at $DYNAMODB_ENDPOINT that is still starting.
	answerAttempts = 50
)

// awaitAnswer sends requests until the engine answers. Any response counts: DynamoDB Local refuses
// a bare GET, which proves that it runs.
func awaitAnswer(ctx context.Context, endpoint string) error {
	transport := &http.Transport{DisableKeepAlives: true}
	client := &http.Client{Transport: transport, Timeout: answerTimeout}
	for attempt := 1; ; attempt++ {
		err := ask(ctx, client, endpoint)
		if err == nil {
			return nil
		}
		if attempt == answerAttempts {
			return fmt.Errorf("no engine answers: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no engine answers: %w", err)
		case <-time.After(answerPause):
		}
	}
}

func ask(ctx context.Context, client *http.Client, endpoint string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10))
	_ = resp.Body.Close()
	return err
}
