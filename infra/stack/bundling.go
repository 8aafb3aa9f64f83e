package stack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
)

// binary is the file name that Lambda's provided runtimes start.
const binary = "bootstrap"

// Build describes a build of one function into a folder.
type Build struct {
	Root         string // Parley's folder
	Function     string // the folder below functions/
	Architecture config.Architecture
	Output       string
}

// Bundler fills the folder that is uploaded for a function.
type Bundler func(Build) error

// GoBuild builds a function with the Go toolchain, without Docker. The same source gives the same
// bytes on any machine, and so the same asset hash. A deploy uploads only changed functions.
func GoBuild(b Build) error {
	goarch := "arm64"
	if b.Architecture == config.X8664 {
		goarch = "amd64"
	}
	// #nosec G204 -- the arguments are ours
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc",
		"-ldflags", "-s -w -buildid=", "-o", filepath.Join(b.Output, binary), "./functions/"+b.Function)
	cmd.Dir = b.Root
	cmd.Env = append(
		os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+goarch, "GOFLAGS=-mod=readonly", "GOWORK=off",
	)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build functions/%s for %s: %w", b.Function, goarch, err)
	}
	return nil
}

// root returns Parley's folder, which contains functions/. In another app it is the folder of a
// dependency, whose own go.sum then fixes what the functions are built of.
var root = sync.OnceValue(func() string {
	// #nosec G204 -- the arguments are ours
	cmd := exec.Command("go", "list", "-mod=readonly", "-f", "{{.Module.Dir}}", reflect.TypeFor[Build]().PkgPath())
	cmd.Stderr = os.Stderr
	folder, err := cmd.Output()
	if err != nil {
		panic(fmt.Errorf("find the folder of Parley's module: %w", err))
	}
	return strings.TrimSpace(string(folder))
})

// code returns a function's code, hashed by the output of the bundler.
func (b *builder) code(function string) awslambda.Code {
	return awslambda.Code_FromAsset(jsii.String(filepath.Join(
		root(), "functions", function,
	)), &awss3assets.AssetOptions{
		AssetHashType: awscdk.AssetHashType_OUTPUT,
		Bundling: &awscdk.BundlingOptions{
			// The CDK requires an image, but local bundling never needs it.
			Image: awscdk.DockerImage_FromRegistry(jsii.String("unused")),
			Local: &localBundling{builder: b, function: function},
		},
	})
}

// localBundling implements the CDK's interface with a Bundler.
type localBundling struct {
	builder  *builder
	function string
}

// TryBundle panics if the bundler fails. If it returned false, the CDK would look for Docker and
// hide the reason.
func (l *localBundling) TryBundle(output *string, _ *awscdk.BundlingOptions) *bool {
	err := l.builder.Bundle(Build{
		Root: root(), Function: l.function,
		Architecture: l.builder.Config.Architecture, Output: *output,
	})
	if err != nil {
		panic(err)
	}
	return jsii.Bool(true)
}
