// Command infra synthesizes the stack of one environment. The CDK's command line runs it (see
// cdk.json): `npx --no-install cdk synth -c env=dev`. A direct run with the same -c flags produces
// the same template.
//
// `cdk bootstrap` also runs it, without an environment, only to learn the accounts and Regions of
// the stacks. For that, the command returns a stack that cannot be deployed.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	"example.com/parley/infra/settings"
	"example.com/parley/infra/stack"
)

const (
	// envContext is the variable in which the CDK's command line passes the whole context.
	envContext = "CDK_CONTEXT_JSON"
	cdkJSON    = "cdk.json"
)

// envAccount is the variable in which the CDK's command line passes the account of the credentials,
// if any.
const envAccount = "CDK_DEFAULT_ACCOUNT"

// envRegions are the variables that name the Region, in order of precedence: first the one that the
// CDK's command line sets, then those that the AWS tools read. If none is set, the Region is
// unknown.
var envRegions = []string{"CDK_DEFAULT_REGION", "AWS_REGION", "AWS_DEFAULT_REGION"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
		os.Exit(1)
	}
}

// run converts panics to errors, because the CDK's bindings report errors in no other way.
func run() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("synthesize: %v", p)
		}
	}()
	flags := contextFlags{}
	flag.Var(flags, "c", "context as `key=value`, any number of times")
	flag.Parse()
	context, err := readContext(flags)
	if err != nil {
		return err
	}
	defer jsii.Close()
	app := awscdk.NewApp(&awscdk.AppProps{Context: &context})
	switch cfg, err := load(context, settings.All(), os.Getenv); {
	case errors.Is(err, config.ErrNoEnvironment) && os.Getenv(envContext) != "":
		stack.Undecided(app, err.Error())
	case err != nil:
		return err
	default:
		stack.New(app, stack.Props{Config: cfg})
	}
	app.Synth(nil)
	return nil
}

// load returns the deployment, and checks that the account may do what its settings require.
func load(
	context map[string]any, stated map[config.Env]config.Settings, getenv func(string) string,
) (config.Config, error) {
	cfg, err := config.Load(context, stated)
	if err != nil {
		return config.Config{}, err
	}
	region := ""
	for _, name := range envRegions {
		region = cmp.Or(region, getenv(name))
	}
	return cfg.In(getenv(envAccount), region)
}

// readContext reads the context from the CDK's command line, or else from cdk.json and the flags.
// Without cdk.json's context, the template would differ.
func readContext(flags contextFlags) (map[string]any, error) {
	if text := os.Getenv(envContext); text != "" {
		context := map[string]any{}
		if err := json.Unmarshal([]byte(text), &context); err != nil {
			return nil, fmt.Errorf("read %s: %w", envContext, err)
		}
		return context, nil
	}
	text, err := os.ReadFile(cdkJSON)
	if err != nil {
		return nil, fmt.Errorf("run this from the repository's folder: %w", err)
	}
	context, err := config.ContextOf(text)
	if err != nil {
		return nil, err
	}
	for key, value := range flags {
		context[key] = value
	}
	return context, nil
}

// contextFlags holds the -c flags.
type contextFlags map[string]string

func (c contextFlags) String() string { return "" }

// Set adds one flag.
func (c contextFlags) Set(s string) error {
	key, value, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("%q is not key=value", s)
	}
	c[key] = value
	return nil
}
