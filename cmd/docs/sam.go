package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/parley/internal/test/runtimestub"
)

// invokeTime bounds one invocation.
const invokeTime = 60 * time.Second

// machine is the name by which a container reaches this machine, if --add-host maps it to the
// gateway.
const machine, gateway = "host.docker.internal", "host.docker.internal:host-gateway"

// sam stands in for `sam local invoke`. It finds the function's binary through the template, and
// invokes it with the event and the variables. It refuses unsupported options such as
// --docker-network: sam accepts the network host and ignores it.
func sam(ctx context.Context, out io.Writer) error {
	options := flag.NewFlagSet("sam local invoke", flag.ExitOnError)
	template, env := options.String("t", "", "the template"), options.String("env-vars", "", "a file of variables")
	event, host := options.String("e", "", "the event"), options.String("add-host", "", "NAME:ADDRESS")
	if len(os.Args) < 3 || os.Args[1] != "local" || os.Args[2] != "invoke" {
		return fmt.Errorf("%q: only sam local invoke is supported", os.Args)
	}
	_ = options.Parse(os.Args[3:])
	function := options.Arg(0)
	_ = options.Parse(options.Args()[min(1, options.NArg()):]) // options may follow the function

	binary, variables, err := find(*template, function, *env)
	if err != nil {
		return err
	}
	for i, v := range variables {
		if *host == gateway {
			variables[i] = strings.ReplaceAll(v, machine, bridge)
		}
	}
	text, err := os.ReadFile(*event)
	if err != nil {
		return err
	}
	answer, err := invoke(ctx, runtimestub.Config{Command: []string{binary}, Env: variables}, text)
	if err != nil {
		return fmt.Errorf("invoke %s: %w", function, err)
	}
	_, err = fmt.Fprintf(out, "%s\n", answer)
	return err
}

// find returns the function's binary and its variables: first the template's, in which a reference
// becomes the name of its target, then the file's. A test of package functions compares the two.
func find(template, function, env string) (binary string, variables []string, err error) {
	var stack struct {
		Resources map[string]struct {
			Metadata   map[string]any
			Properties struct {
				Handler     string
				Environment struct{ Variables map[string]any }
			}
		}
	}
	var given map[string]map[string]string
	for file, into := range map[string]any{template: &stack, env: &given} {
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			return "", nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
	found := stack.Resources[function]
	asset, _ := found.Metadata["aws:asset:path"].(string)
	if asset == "" {
		return "", nil, fmt.Errorf("%s has no code of %s", template, function)
	}
	variables = []string{"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=defaultkey", "AWS_SECRET_ACCESS_KEY=defaultsecret"}
	for name, value := range found.Properties.Environment.Variables {
		if reference, ok := value.(map[string]any); ok {
			value = reference["Ref"]
		}
		if value != nil {
			variables = append(variables, fmt.Sprintf("%s=%v", name, value))
		}
	}
	for name, value := range given[function] {
		variables = append(variables, name+"="+value)
	}
	return filepath.Join(filepath.Dir(template), asset, found.Properties.Handler), variables, nil
}

// invoke runs a function once. Like sam, it returns a function's error as a response.
func invoke(ctx context.Context, config runtimestub.Config, event []byte) (answer []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, invokeTime)
	defer cancel()
	var logs bytes.Buffer
	config.Logs = &logs
	f, err := runtimestub.Start(config)
	if err != nil {
		return nil, err
	}
	answer, err = f.Invoke(ctx, event)
	var failure *runtimestub.FunctionError
	if errors.As(err, &failure) {
		answer, err = json.Marshal(failure)
	}
	if err = errors.Join(err, f.Stop()); err != nil {
		err = fmt.Errorf("%w\n%s", err, logs.String())
	}
	return answer, err
}
