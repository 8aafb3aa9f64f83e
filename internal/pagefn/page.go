// Package pagefn is the function that writes the web app, and the documents of an issuer, to a
// bucket, from which CloudFront serves them. CloudFormation calls it when the stack is created,
// changed and removed.
package pagefn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	shared "example.com/parley/internal/config"
	"example.com/parley/internal/webpage"
	"example.com/parley/web"
)

const (
	configFile = "config.json"
	indexFile  = "index.html"
	workerFile = "sw.js"
	// oldFiles is the time for which the files of a version remain after the next one is written,
	// for pages that are still open and load a part of themselves later.
	oldFiles = 7 * 24 * time.Hour
)

// Config has the dependencies of the function.
type Config struct {
	Bucket  string
	Files   map[string][]byte // by their names
	Storage *s3.Client
	HTTP    *http.Client // reads the documents through CloudFront
	Clock   func() time.Time
	Log     *slog.Logger
}

// Handle writes the files and the configuration in the event. When the stack is removed, it
// empties the bucket, unless the bucket remains. The result names the bucket, so that
// CloudFormation treats every version as the same resource. An event with documents is only
// about the documents.
func (p Config) Handle(ctx context.Context, e cfn.Event) (id string, data map[string]any, err error) {
	if documents, ok := e.ResourceProperties["Documents"].(map[string]any); ok {
		return p.handleDocuments(ctx, e, documents)
	}
	switch e.RequestType {
	case cfn.RequestCreate, cfn.RequestUpdate:
		err = p.write(ctx, e)
	case cfn.RequestDelete:
		err = p.remove(ctx, e)
	default:
		err = fmt.Errorf("unknown request %q", e.RequestType)
	}
	if err != nil {
		p.Log.ErrorContext(ctx, "page", "request", e.RequestType, "error", err)
	}
	return p.Bucket, nil, err
}

// write writes all files, the index and then the service worker last: once one of them is there,
// all that it names is there too.
func (p Config) write(ctx context.Context, e cfn.Event) error {
	config, _ := e.ResourceProperties["Config"].(string)
	if config == "" {
		return errors.New("the property Config is missing")
	}
	index, err := p.index(config)
	if err != nil {
		return err
	}
	stored, err := p.list(ctx)
	if err != nil {
		return err
	}
	if err := p.put(ctx, configFile, []byte(config)); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		if name == indexFile || name == workerFile {
			continue
		}
		if err := p.put(ctx, name, p.Files[name]); err != nil {
			return err
		}
	}
	if err := p.put(ctx, indexFile, index); err != nil {
		return err
	}
	if err := p.put(ctx, workerFile, p.Files[workerFile]); err != nil {
		return err
	}
	old := p.outdated(stored)
	err = p.delete(ctx, old)
	p.Log.InfoContext(ctx, "page", "request", e.RequestType, "files", len(p.Files)+1, "removed", len(old))
	return err
}

// outdated returns the objects of versions that no open page should still load from. The objects
// are those before the current version was written. The version that it replaces remains. Older
// versions were replaced when that version was written, index last.
func (p Config) outdated(stored []types.Object) []types.Object {
	at := slices.IndexFunc(stored, func(o types.Object) bool { return aws.ToString(o.Key) == indexFile })
	if at < 0 || p.Clock().Sub(aws.ToTime(stored[at].LastModified)) < oldFiles {
		return nil
	}
	before := aws.ToTime(stored[at].LastModified).Add(-shared.PageTimeout)
	return slices.DeleteFunc(stored, func(o types.Object) bool {
		_, current := p.Files[aws.ToString(o.Key)]
		return current || aws.ToString(o.Key) == configFile || !aws.ToTime(o.LastModified).Before(before)
	})
}

// index returns the index with a policy that allows the addresses of the configuration only.
// Browsers apply it together with the policy of CloudFront's headers, which is wider where the
// stack cannot name its API and its files: both name the page, so the page is created first.
func (p Config) index(config string) ([]byte, error) {
	var page shared.Page
	if err := json.Unmarshal([]byte(config), &page); err != nil {
		return nil, fmt.Errorf("read the property Config: %w", err)
	}
	// A policy applies to what follows it.
	before, after, found := bytes.Cut(p.Files[indexFile], []byte("<head>"))
	if !found {
		return nil, fmt.Errorf("%s has no head", indexFile)
	}
	policy := html.EscapeString(page.Sources())
	return fmt.Appendf(
		nil, "%s<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">%s", before, policy, after,
	), nil
}

// put writes one object, with the headers that CloudFront sends.
func (p Config) put(ctx context.Context, name string, text []byte) error {
	form, ok := webpage.FormOf(name)
	if !ok {
		return fmt.Errorf("%s has no known content type", name)
	}
	return p.putAs(ctx, name, text, form)
}

func (p Config) putAs(ctx context.Context, name string, text []byte, form webpage.Form) error {
	_, err := p.Storage.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &p.Bucket, Key: &name, Body: bytes.NewReader(text), ContentType: &form.ContentType,
		CacheControl: &form.CacheControl,
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// remove empties the bucket for its removal. CloudFormation removes no bucket with files in it. An
// event about another bucket changes nothing in this one.
func (p Config) remove(ctx context.Context, e cfn.Event) error {
	if keeps(e) || e.PhysicalResourceID != p.Bucket {
		p.Log.InfoContext(ctx, "page", "request", e.RequestType, "kept", p.Bucket)
		return nil
	}
	stored, err := p.list(ctx)
	if err != nil {
		return err
	}
	err = p.delete(ctx, stored)
	p.Log.InfoContext(ctx, "page", "request", e.RequestType, "removed", len(stored))
	return err
}

// keeps reports whether the files remain when their resource is removed.
func keeps(e cfn.Event) bool {
	keep, _ := e.ResourceProperties["Keep"].(string)
	return keep != "false"
}

// list returns all objects of the bucket but the documents of an issuer, which have a resource of
// their own.
func (p Config) list(ctx context.Context) (all []types.Object, err error) {
	pages := s3.NewListObjectsV2Paginator(p.Storage, &s3.ListObjectsV2Input{Bucket: &p.Bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the bucket: %w", err)
		}
		all = append(all, page.Contents...)
	}
	return slices.DeleteFunc(
		all, func(o types.Object) bool { return strings.HasPrefix(aws.ToString(o.Key), documentFolder) },
	), nil
}

// delete removes objects.
func (p Config) delete(ctx context.Context, objects []types.Object) error {
	for _, o := range objects {
		if _, err := p.Storage.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &p.Bucket, Key: o.Key}); err != nil {
			return fmt.Errorf("remove %s: %w", aws.ToString(o.Key), err)
		}
	}
	return nil
}

// callTimeout bounds one attempt of a call to S3; the SDK makes three.
const callTimeout = 5 * time.Second

// FromEnv returns the configuration of the deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := shared.FunctionLogger(
		getenv, logs, shared.EnvPageBucket, "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
	)
	if err != nil {
		return Config{}, err
	}
	files, err := web.Files()
	if err != nil {
		return Config{}, fmt.Errorf("open the web app: %w", err)
	}
	return Config{
		Bucket: getenv(shared.EnvPageBucket), Files: files, Storage: storage(getenv), HTTP: &http.Client{},
		Clock: time.Now, Log: log,
	}, nil
}

// storage returns a client with the credentials that Lambda sets. At another endpoint than the
// service's own, buckets have no host names.
func storage(getenv func(string) string) *s3.Client {
	keys := aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: getenv("AWS_SESSION_TOKEN"), Source: "Lambda",
	}
	return s3.New(s3.Options{
		Region: getenv("AWS_REGION"), HTTPClient: &http.Client{Timeout: callTimeout},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
		// The signature covers the content, so that it needs no further checksum.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
	}, func(o *s3.Options) {
		if url := shared.Endpoint(getenv, shared.EnvStorageEndpoint); url != "" {
			o.BaseEndpoint, o.UsePathStyle = &url, true
		}
	})
}
