package stack

import (
	"fmt"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/publickey"
)

// keys publishes the keys of tokens that the app's own server signs, and returns whose tokens are
// accepted.
//
// API Gateway fetches both documents when it creates the authorizer, and fails without them. So the
// authorizer waits for them, and they wait for the policy that lets CloudFront read the bucket. The
// function that writes them succeeds once CloudFront answers both.
// CloudFormation removes all of them in the opposite order.
func (b *builder) keys(s *site, writer awslambda.IFunction) users {
	issuer := s.address()
	files := b.written("IssuerFiles", writer, map[string]any{"Documents": b.documents(issuer), "Address": issuer})
	files.Node().AddDependency(s.bucket.Policy())
	b.output("Issuer", jsii.String(issuer), "The iss of the tokens that the app signs")
	return users{
		issuer: jsii.String(issuer), audience: jsii.Strings(b.Config.Tokens.Audience...),
		published: files.Node().DefaultChild().(awscdk.CfnResource),
	}
}

// documents returns the documents of an issuer by the names of their files.
func (b *builder) documents(issuer string) map[string]string {
	keys, problems := b.Config.Tokens.PublicKeys()
	if len(problems) > 0 {
		panic(fmt.Errorf("the keys were not checked: %w", problems[0]))
	}
	set, err := publickey.Set(keys)
	if err != nil {
		panic(err) // texts can always be encoded
	}
	discovery, err := publickey.Discovery(issuer)
	if err != nil {
		panic(err)
	}
	return map[string]string{fileAt(publickey.SetPath): string(set), fileAt(publickey.DiscoveryPath): string(discovery)}
}

// fileAt returns the name of the file at a path.
func fileAt(path string) string { return strings.TrimPrefix(path, "/") }
