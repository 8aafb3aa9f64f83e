package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// nginxPatience bounds the start of nginx, which takes milliseconds.
	nginxPatience = 10 * time.Second
	nginxPause    = 10 * time.Millisecond
)

// nginxConfig stores files by PUT and sends them, in a folder and at a port.
const nginxConfig = `
daemon off;
master_process off;
pid %[1]s/pid;
error_log stderr crit;
events {}
http {
  access_log off;
  sendfile on;
  client_max_body_size 0;
  client_body_temp_path %[1]s/body;
  proxy_temp_path %[1]s/proxy;
  fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  server {
    listen 127.0.0.1:%[2]s;
    location / { root %[1]s/files; dav_methods PUT; }
  }
}
`

var errNoNginx = errors.New("nginx is not installed (on Debian: apt install nginx-light)")

// nginx is a running nginx, whose speed files are compared with.
type nginx struct {
	url string
	cmd *exec.Cmd
}

// startNginx starts an nginx with a folder in dir. The error is errNoNginx if there is none.
func startNginx(ctx context.Context, dir string) (*nginx, error) {
	path, err := exec.LookPath("nginx")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/nginx")
	}
	if err != nil {
		return nil, errNoNginx
	}
	dir = filepath.Join(dir, "nginx")
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o700); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, nginxConfig, dir, port), 0o600); err != nil {
		return nil, err
	}
	n := &nginx{url: "http://127.0.0.1:" + port, cmd: exec.CommandContext(ctx, path, "-p", dir, "-c", config)}
	n.cmd.Stderr = os.Stderr
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(nginxPatience); time.Now().Before(end); time.Sleep(nginxPause) {
		if res, err := http.Get(n.url); err == nil {
			return n, res.Body.Close()
		}
	}
	n.stop()
	return nil, errors.New("nginx does not answer")
}

// stop ends nginx. Errors do not matter once the figures are measured.
func (n *nginx) stop() {
	if n == nil {
		return
	}
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}
