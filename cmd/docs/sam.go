package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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
	hosts                []string // as NAME:ADDRESS
}

// parseInvoke parses the arguments as sam 1.170 does: the function's name comes before, between or
// after options. It refuses the options of sam that the stand-in does not follow, among them
// --docker-network, because sam accepts the network host and ignores it.
func parseInvoke(args []string) (invocation, error) {
	var i invocation
	if len(args) < 2 || args[0] != "local" || args[1] != "invoke" {
		return i, fmt.Errorf(`sam %q: only "local invoke" is supported`, args)
	}
	texts := map[string]*string{
		"-t": &i.template, "--template": &i.template, "--template-file": &i.template,
		"-e": &i.event, "--event": &i.event, "-n": &i.env, "--env-vars": &i.env,
	}
	for rest := args[2:]; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if !strings.HasPrefix(name, "-") {
			if i.function != "" {
				return i, fmt.Errorf("sam local invoke: unexpected argument %s", name)
			}
			i.function = name
			continue
		}
		text, known := texts[name]
		if !known && name != "--add-host" {
			return i, fmt.Errorf("sam local invoke: no option %s%s", name, notes[name])
		}
		if len(rest) == 0 {
			return i, fmt.Errorf("sam local invoke: option %s requires an argument", name)
		}
		if known {
			*text = rest[0]
		} else {
			i.hosts = append(i.hosts, rest[0])
		}
		rest = rest[1:]
	}
	for _, host := range i.hosts {
		if !strings.Contains(host, ":") {
			return i, fmt.Errorf("sam local invoke: --add-host %s is not of the form hostname:IP", host)
		}
	}
	if i.template == "" || i.event == "" || i.env == "" || i.function == "" {
		return i, errors.New("sam local invoke wants -t, a function, -e and --env-vars")
	}
	return i, nil
}

// notes say why an option of sam is refused.
var notes = map[string]string{
	"--docker-network": ": sam adds the container to the network, but ignores the network host, and the container never shares this machine's 127.0.0.1",
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
	event, err := os.ReadFile(i.event)
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
	var logs bytes.Buffer
	f, err := runtimestub.Start(runtimestub.Config{Command: command, Env: env, Logs: &logs})
	if err != nil {
		return err
	}
	answer, err := f.Invoke(ctx, event)
	var failure *runtimestub.FunctionError
	if errors.As(err, &failure) { // sam prints it like an answer, and succeeds
		answer, err = json.Marshal(failure)
	}
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
	if err := i.reach(variables); err != nil {
		return nil, err
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

// machineName is the name under which containers reach this machine.
const machineName = "host.docker.internal"

// reach resolves this machine's name in the variables as Docker does on Linux: --add-host must map
// it to host-gateway, which is the bridge. 127.0.0.1 and localhost are the container itself, where
// no server listens.
func (i invocation) reach(variables map[string]any) error {
	mapped := slices.Contains(i.hosts, machineName+":host-gateway")
	for name, value := range variables {
		text, _ := value.(string)
		if strings.Contains(text, "127.0.0.1") || strings.Contains(text, "localhost") {
			return fmt.Errorf("%s of %s is %s, which is the container itself", name, i.function, text)
		}
		if !strings.Contains(text, machineName) {
			continue
		}
		if !mapped {
			return fmt.Errorf("%s of %s is %s: without --add-host %s:host-gateway no name of a container is this machine", name, i.function, text, machineName)
		}
		variables[name] = strings.ReplaceAll(text, machineName, bridge)
	}
	return nil
}
