package stack

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
	"example.com/parley/web"
)

const (
	pageTimeout = int(shared.PageTimeout / time.Second)
	// pageWait, in seconds, is the time after which a deploy gives up on the function: three times
	// its own timeout, because Lambda retries a failed call twice, after one minute and after two.
	pageWait = 3*pageTimeout + 180
)

// publish writes the web app and its configuration to the bucket during a deploy. The writer
// contains the files, so it needs rights on only that bucket. It is called again when the files or
// the configuration change.
func (b *builder) publish(writer awslambda.IFunction, config shared.Page) {
	if !b.Config.Page.Served() {
		return
	}
	b.written("PageFiles", writer, map[string]any{"Config": encode(config), "Files": filesVersion()})
}

// written adds a resource for which the writer writes files when its properties change.
func (b *builder) written(id string, writer awslambda.IFunction, properties map[string]any) awscdk.CustomResource {
	// A bucket that stays with its stack's data keeps its files.
	properties["Keep"] = strconv.FormatBool(b.Config.Table.Retain)
	files := awscdk.NewCustomResource(b.scope, jsii.String(id), &awscdk.CustomResourceProps{
		ServiceToken: writer.FunctionArn(), ResourceType: jsii.String("Custom::" + id),
		ServiceTimeout: awscdk.Duration_Seconds(jsii.Number(pageWait)),
		Properties:     &properties,
	})
	fixID(files, id)
	return files
}

// writer creates the function that writes files to the site's bucket, or returns nil without one.
func (b *builder) writer(s *site) awslambda.IFunction {
	if s == nil {
		return nil
	}
	fn := b.function(b.pageFunction(s))
	except(fn.Role(), aPageWritersRole)
	return fn
}

// pageFunction describes the function that writes the web app and the keys of tokens. It may remove
// files, because files of former versions do not remain forever.
func (b *builder) pageFunction(s *site) function {
	objects := s.bucket.ArnForObjects(jsii.String("*"))
	return function{
		name: "page", id: "Page", description: "Writes the files that CloudFront serves, during a deploy",
		size:    b.Config.PageWriter,
		timeout: pageTimeout, endpoints: []string{shared.EnvStorageEndpoint}, subject: aPageWriter,
		variables: map[string]*string{
			shared.EnvPageBucket: s.bucket.BucketName(),
			shared.EnvLogLevel:   jsii.String(b.Config.Logs.Level),
		},
		grants: []grant{
			{sid: "WriteFiles", resource: objects, actions: []string{"s3:PutObject"}},
			{sid: "FindOldFiles", resource: s.bucket.BucketArn(), actions: []string{"s3:ListBucket"}},
			{sid: "RemoveOldFiles", resource: objects, actions: []string{"s3:DeleteObject"}},
		},
	}
}

// pageConfig returns the document /config.json.
func (b *builder) pageConfig(api awsapigatewayv2.HttpApi, s sockets, u users, files awss3.IBucket) shared.Page {
	client := ""
	if u.client != nil {
		client = *u.client.UserPoolClientId()
	}
	p := b.surroundings(*b.apiURL(api), s, client)
	p.Files = "https://" + *files.BucketName() + ".s3." + *b.scope.Region() + "." + *b.scope.UrlSuffix()
	return p
}

func encode(p shared.Page) string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Errorf("encode the page's configuration: %w", err)) // texts can always be encoded
	}
	return string(text)
}

// filesVersion returns a digest of the web app's files. CloudFormation calls the function when it
// changes.
func filesVersion() string {
	files, err := web.Files()
	if err != nil {
		panic(err) // they are embedded
	}
	digest := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_, _ = fmt.Fprintf(digest, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(digest.Sum(nil))
}
