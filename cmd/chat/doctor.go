package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/infra/config"
	"example.com/parley/infra/settings"
	"example.com/parley/internal/doctor"
	"example.com/parley/internal/smoke"
)

const (
	// issuerTime bounds one document of an issuer.
	issuerTime = 10 * time.Second
	// logTime is how long CloudWatch may take to show a line of a function: a few seconds.
	logTime = 10 * time.Second
	// synthesized is the folder of the last synthesized templates.
	synthesized = "cdk.out"
)

// doctorCmd checks an account or a deployment.
type doctorCmd struct {
	account
	Env      string        `required:"" enum:"dev,prod" help:"The environment: dev or prod."`
	After    bool          `help:"Check the deployment: use it as a person does, in a room that is deleted at the end, and read the state of its parts."`
	Token    string        `env:"PARLEY_TOKEN" help:"An access token, for --after. Set the variable rather than the flag, to hide the token from other users of the machine."`
	Patience time.Duration `default:"30s" help:"How long to wait for each effect, with --after."`
}

// Run prints a table of findings. It fails if a finding is a blocker.
func (c *doctorCmd) Run(ctx context.Context, s streams) error {
	if c.After && c.Token == "" {
		return errors.New("--after uses the deployment as a person: set the variable PARLEY_TOKEN to an access token")
	}
	cfg, err := c.config(ctx)
	if err != nil {
		return err
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		fmt.Fprintf(s.Out, "%s, %s/%s, %s\n\n", version(build), runtime.GOOS, runtime.GOARCH, runtime.Version())
	}
	o := c.options(cfg)
	var found []doctor.Finding
	if !c.After {
		found = doctor.Run(ctx, o)
	} else if found, err = c.after(ctx, o); err != nil {
		return err
	}
	if err := doctor.Print(s.Out, found); err != nil {
		return err
	}
	if doctor.Blocked(found) {
		return errReported
	}
	return nil
}

func (c *doctorCmd) options(cfg aws.Config) doctor.Options {
	return doctor.Options{
		Env: config.Env(c.Env), Stated: settings.All(), AWS: cfg, Client: &http.Client{Timeout: issuerTime},
		Clock: time.Now,
		Node: func(ctx context.Context) (string, error) {
			out, err := exec.CommandContext(ctx, "node", "--version").Output()
			return string(out), err
		},
		Template: func(stack string) ([]byte, error) {
			text, err := os.ReadFile(filepath.Join(synthesized, filepath.Base(stack)+".template.json"))
			if errors.Is(err, os.ErrNotExist) {
				return nil, nil
			}
			return text, err
		},
	}
}

// after exercises a deployment and then checks the effects.
func (c *doctorCmd) after(ctx context.Context, o doctor.Options) ([]doctor.Finding, error) {
	began := time.Now()
	d, err := doctor.FindDeployed(ctx, o)
	if err != nil {
		return nil, err
	}
	steps, err := smoke.Run(
		ctx, smoke.Config{URL: d.URL, Token: c.Token, Clock: time.Now, Random: rand.Reader, Patience: c.Patience},
	)
	if len(steps) == 0 && err != nil {
		return nil, err
	}
	var found []doctor.Finding
	for _, step := range steps {
		found = append(found, stepFinding("smoke: "+step.Name, step.Err, step.Took, step.Detail))
	}
	exercised, err := doctor.Exercise(ctx, doctor.ExerciseOptions{
		URL: d.URL, Socket: d.Socket, Token: c.Token, SendRate: d.SendRate, FileType: d.FileType, Origin: d.Origin,
		Pictures: d.Pictures, Clock: time.Now, Random: rand.Reader, Patience: c.Patience,
	})
	if err != nil {
		return nil, err
	}
	for _, step := range exercised {
		f := stepFinding(step.Name, step.Err, step.Took, strings.Join(step.Statements, ", "))
		if step.Err != nil && step.Minor {
			f.Status, f.Do = doctor.Note, "write clients in Go that spell Sec-WebSocket-Protocol so, as Parley's own do"
		}
		found = append(found, f)
	}
	if err := smithytime.SleepWithContext(ctx, logTime); err != nil {
		return nil, err
	}
	return append(found, d.After(ctx, began)...), nil
}

// stepFinding returns the finding of one step of using a deployment.
func stepFinding(name string, err error, took time.Duration, detail string) doctor.Finding {
	if err != nil {
		return doctor.Finding{Check: name, Status: doctor.Blocker, Found: err.Error(), Do: detail}
	}
	return doctor.Finding{
		Check: name, Status: doctor.OK, Found: strings.TrimSpace(fmt.Sprintf("%d ms %s", took.Milliseconds(), detail)),
	}
}

type smokeCmd struct {
	URL      string        `required:"" help:"The API's address: the one that serve prints, or the stack's output ApiUrl."`
	Token    string        `env:"PARLEY_TOKEN" help:"An access token. Set the variable rather than the flag, to hide the token from other users of the machine."`
	Patience time.Duration `default:"30s" help:"How long to wait for the message in the feed."`
}

// Run checks a deployment or a local server and prints the duration of each step.
func (c *smokeCmd) Run(ctx context.Context, s streams) error {
	if c.Token == "" {
		return errors.New("a token is required: set the variable PARLEY_TOKEN or give --token")
	}
	steps, err := smoke.Run(ctx, smoke.Config{
		URL: c.URL, Token: c.Token, Clock: time.Now, Random: rand.Reader, Patience: c.Patience,
	})
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, step := range steps {
		detail := step.Detail
		if step.Err != nil {
			detail = "FAILED: " + step.Err.Error()
		}
		fmt.Fprintf(table, "%s\t%d ms\t%s\n", step.Name, step.Took.Milliseconds(), detail)
	}
	if flushErr := table.Flush(); flushErr != nil && err == nil {
		err = flushErr
	}
	return err
}
