package stack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/jsii-runtime-go"

	"parley/infra/config"
)

// binary is the name under which Lambda's provided runtimes start a function.
const binary = "bootstrap"

// Build is one function to be built into a folder.
type Build struct {
	Root         string // the repository's folder
	Function     string // the folder below functions/
	Architecture config.Architecture
	Output       string
}

// Bundler fills the folder that is uploaded for a function.
type Bundler func(Build) error

// GoBuild builds a function with the Go toolchain, without Docker. The same
// source gives the same bytes on any machine, and so the same asset hash: a
// deploy uploads only what changed.
func GoBuild(b Build) error {
	goarch := "arm64"
	if b.Architecture == config.X8664 {
		goarch = "amd64"
	}
	// #nosec G204 -- the arguments are ours
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc",
		"-ldflags", "-s -w -buildid=", "-o", filepath.Join(b.Output, binary), "./functions/"+b.Function)
	cmd.Dir = b.Root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+goarch, "GOFLAGS=-mod=readonly")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build functions/%s for %s: %w", b.Function, goarch, err)
	}
	return nil
}

// code is a function's code, hashed by what the bundler made.
func (b *builder) code(function string) awslambda.Code {
	return awslambda.Code_FromAsset(jsii.String(filepath.Join(b.Root, "functions", function)), &awss3assets.AssetOptions{
		AssetHashType: awscdk.AssetHashType_OUTPUT,
		Bundling: &awscdk.BundlingOptions{
			// Never used: it is asked for, but local bundling does not
			// decline.
			Image: awscdk.DockerImage_FromRegistry(jsii.String("unused")),
			Local: &localBundling{builder: b, function: function},
		},
	})
}

// localBundling is the CDK's interface to a Bundler.
type localBundling struct {
	builder  *builder
	function string
}

// TryBundle panics where the bundler fails: false would make the CDK look
// for Docker, and hide the reason.
func (l *localBundling) TryBundle(output *string, _ *awscdk.BundlingOptions) *bool {
	err := l.builder.Bundle(Build{
		Root: l.builder.Root, Function: l.function,
		Architecture: l.builder.Config.Architecture, Output: *output,
	})
	if err != nil {
		panic(err)
	}
	return jsii.Bool(true)
}
