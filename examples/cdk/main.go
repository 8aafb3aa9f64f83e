// Command cdk is the CDK app of a team that has stacks already, and adds Parley's to them.
// docs/deploy.md explains it.
package main

import (
	"log"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsssm"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	"example.com/parley/infra/stack"
)

const (
	account = "123456789012"
	region  = "eu-west-1"
)

func main() {
	defer jsii.Close()
	cfg, err := config.Settings{Suffix: "shop", Origins: []string{"https://shop.example.com"}}.Resolve(config.Dev)
	if err != nil {
		log.Fatal(err)
	}
	if cfg, err = cfg.In(account, region); err != nil {
		log.Fatal(err)
	}
	app := awscdk.NewApp(nil)
	env := &awscdk.Environment{Account: jsii.String(account), Region: jsii.String(region)}
	chat := stack.New(app, stack.Props{Config: cfg, Env: env})

	shop := awscdk.NewStack(app, jsii.String("Shop"), &awscdk.StackProps{Env: env})
	parameter(shop, "/shop/chat-url", chat.APIURL)
	parameter(shop, "/shop/chat-socket-url", chat.SocketURL)
	app.Synth(nil)
}

// parameter keeps a value where the shop's own programs read it.
func parameter(s awscdk.Stack, name string, value *string) {
	awsssm.NewStringParameter(s, jsii.String(name), &awsssm.StringParameterProps{
		ParameterName: jsii.String(name), StringValue: value,
	})
}
