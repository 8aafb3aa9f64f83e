package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"parley/internal/test/runtimestub"
)

// invokeTime bounds one invocation; under emulation a start takes a second or two.
const invokeTime = 60 * time.Second

// emulators maps an architecture's name in Go to the emulator that runs its binaries.
var emulators = map[string]string{"arm64": "qemu-aarch64-static", "amd64": "qemu-x86_64-static"}

// architectures maps the machine in a binary to Go's name of the architecture.
var architectures = map[elf.Machine]string{elf.EM_AARCH64: "arm64", elf.EM_X86_64: "amd64"}

// invocation holds the arguments of `sam local invoke`.
type invocation struct {
	template, event, env string
	function             string
}

// parseInvoke parses the arguments as sam does: the function's name comes before or after flags.
func parseInvoke(args []string) (invocation, error) {
	var i invocation
	if len(args) < 2 || args[0] != "local" || args[1] != "invoke" {
		return i, fmt.Errorf(`sam %q: only "local invoke" is supported`, args)
	}
	flags := flag.NewFlagSet("sam local invoke", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the error has the text
	flags.StringVar(&i.template, "t", "", "template")
	flags.StringVar(&i.event, "e", "", "event")
	flags.StringVar(&i.env, "env-vars", "", "variables")
	network := flags.String("docker-network", "", "network")
	for rest := args[2:]; len(rest) > 0; {
		if err := flags.Parse(rest); err != nil {
			return i, err
		}
		if rest = flags.Args(); len(rest) > 0 {
			i.function, rest = rest[0], rest[1:]
		}
	}
	if i.template == "" || i.event == "" || i.env == "" || i.function == "" || *network != "host" {
		return i, errors.New("sam local invoke wants -t, a function, -e, --env-vars and --docker-network host")
	}
	return i, nil
}

// sam stands in for `sam local invoke`. It finds the function's binary through the template, and
// invokes it with the event and the variables.
func sam(ctx context.Context, args []string, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, invokeTime)
	defer cancel()
	i, err := parseInvoke(args)
	if err != nil {
		return err
	}
	function, err := i.find()
	if err != nil {
		return err
	}
	command, err := i.command(function)
	if err != nil {
		return err
	}
	env, err := i.environment(function)
	if err != nil {
		return err
	}
	event, err := os.ReadFile(i.event)
	if err != nil {
		return err
	}
	var logs bytes.Buffer
	f, err := runtimestub.Start(runtimestub.Config{Command: command, Env: env, Logs: &logs})
	if err != nil {
		return err
	}
	answer, err := f.Invoke(ctx, event)
	if err = errors.Join(err, f.Stop()); err != nil {
		return fmt.Errorf("invoke %s: %w\n%s", i.function, err, logs.String())
	}
	_, err = fmt.Fprintf(out, "%s\n", answer)
	return err
}

// function is the part of a Lambda function's template that an invocation needs.
type function struct {
	Type       string
	Properties struct {
		Handler     string
		Environment struct{ Variables map[string]any }
	}
	Metadata map[string]any
}

// find returns the function of the template.
func (i invocation) find() (function, error) {
	text, err := os.ReadFile(i.template)
	if err != nil {
		return function{}, err
	}
	var template struct{ Resources map[string]json.RawMessage }
	if err := json.Unmarshal(text, &template); err != nil {
		return function{}, fmt.Errorf("read %s: %w", i.template, err)
	}
	var f function
	if err := json.Unmarshal(template.Resources[i.function], &f); err != nil || f.Type != "AWS::Lambda::Function" {
		return function{}, fmt.Errorf("%s has no function %s", i.template, i.function)
	}
	return f, nil
}

// command returns the command line of the function's binary, whose place is in the template's
// metadata. A binary of another architecture runs under an emulator.
func (i invocation) command(f function) ([]string, error) {
	asset, _ := f.Metadata["aws:asset:path"].(string)
	if asset == "" {
		return nil, fmt.Errorf("%s does not say where the code of %s is", i.template, i.function)
	}
	binary := filepath.Join(filepath.Dir(i.template), asset, f.Properties.Handler)
	file, err := elf.Open(binary)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	built := architectures[file.Machine]
	if built == runtime.GOARCH {
		return []string{binary}, nil
	}
	emulator, err := exec.LookPath(emulators[built])
	if err != nil {
		return nil, fmt.Errorf("the binary is for %s: %w", built, err)
	}
	return []string{emulator, binary}, nil
}

// environment returns the function's variables as sam sets them: those of the template, then those
// of the file, then credentials that are not real. A reference becomes the name of its target. The
// file may only set variables that the template has.
func (i invocation) environment(f function) ([]string, error) {
	text, err := os.ReadFile(i.env)
	if err != nil {
		return nil, err
	}
	var files map[string]map[string]string
	if err := json.Unmarshal(text, &files); err != nil {
		return nil, fmt.Errorf("read %s: %w", i.env, err)
	}
	own, ok := files[i.function]
	if !ok {
		return nil, fmt.Errorf("%s has no variables for %s", i.env, i.function)
	}
	variables := f.Properties.Environment.Variables
	for name, value := range own {
		if _, ok := variables[name]; !ok {
			return nil, fmt.Errorf("%s sets %s, which %s in the template does not have", i.env, name, i.function)
		}
		variables[name] = value
	}
	env := []string{"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=defaultkey", "AWS_SECRET_ACCESS_KEY=defaultsecret"}
	for name, value := range variables {
		switch v := value.(type) {
		case string:
			env = append(env, name+"="+v)
		case map[string]any:
			if ref, ok := v["Ref"].(string); ok {
				env = append(env, name+"="+ref)
			}
		}
	}
	return env, nil
}
