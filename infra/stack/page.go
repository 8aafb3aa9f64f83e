package stack

import (
	"net/http"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
)

const (
	// hstsDays is the time for which a returning browser uses only HTTPS.
	hstsDays = 365
	// indexFile is the file at the page's address.
	indexFile = "index.html"
	// missingFile is the file that CloudFront serves for all other addresses.
	missingFile = "missing.html"
)

// site is what CloudFront serves: the files of a private bucket.
type site struct {
	bucket       awss3.Bucket
	distribution awscloudfront.Distribution
}

// page is the web app.
type page struct {
	site
	origin string // the page's address, without a slash at its end
}

// site creates the bucket and its distribution for the web app, for the keys of tokens, or for
// both. It returns nil if neither is configured. Neither costs anything at rest but the storage of
// some 1 MB.
//
// The parts are the same with and without the web app, so that the address of the keys, which all
// tokens name, stays when the web app comes or goes.
func (b *builder) site(s sockets) *site {
	if !b.Config.Page.Served() && !b.Config.Tokens.OwnKeys() {
		return nil
	}
	bucket := awss3.NewBucket(b.scope, jsii.String("PageBucket"), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		RemovalPolicy:     b.removal(),
	})
	fixID(bucket, "PageBucket")
	except(bucket, aPageBucket)
	return &site{bucket, b.distribution(bucket, s)}
}

// page describes the web app, or returns nil if none is configured.
//
// It refers to nothing of the HTTP API and of the files, because both refer to the page, whose
// origin may call. So the headers allow the Region's buckets, and without a Domain its APIs, by
// patterns. The index that a deploy writes allows only this stack's.
func (b *builder) page(of *site) *page {
	if !b.Config.Page.Served() {
		return nil
	}
	p := &page{*of, of.address()}
	if name := b.Config.Page.Name; name != "" {
		p.origin = "https://" + name
		b.output(
			"PageTarget", of.distribution.DistributionDomainName(),
			"The target of the page's name: by a CNAME, or an alias in Route 53",
		)
	}
	b.output("PageUrl", jsii.String(p.origin+"/"), "The address of the web app")
	b.output("PageBucketName", of.bucket.BucketName(), "The bucket of the web app's files")
	return p
}

// address returns the address that CloudFront assigns, without a slash at its end.
func (s *site) address() string { return "https://" + *s.distribution.DistributionDomainName() }

// distribution creates the front of the bucket. A request costs nothing in the free tier, and $1
// for a million above it. The cheapest class answers from North America, Europe and Israel, to
// everyone.
func (b *builder) distribution(bucket awss3.IBucket, s sockets) awscloudfront.Distribution {
	props := &awscloudfront.DistributionProps{
		Comment:     jsii.String(Name(b.Config) + ", the keys of tokens"),
		HttpVersion: awscloudfront.HttpVersion_HTTP2_AND_3,
		PriceClass:  awscloudfront.PriceClass_PRICE_CLASS_100,
		DefaultBehavior: &awscloudfront.BehaviorOptions{
			Origin: awscloudfrontorigins.S3BucketOrigin_WithOriginAccessControl(bucket,
				&awscloudfrontorigins.S3BucketOriginWithOACProps{
					OriginAccessControl: b.pageAccess(),
				}),
			ViewerProtocolPolicy: awscloudfront.ViewerProtocolPolicy_REDIRECT_TO_HTTPS,
			AllowedMethods:       awscloudfront.AllowedMethods_ALLOW_GET_HEAD(),
			Compress:             jsii.Bool(true),
			// The files state how long they are cached, at least a second.
			CachePolicy: awscloudfront.CachePolicy_CACHING_OPTIMIZED(),
		},
	}
	subject := aPage
	if b.Config.Page.Served() {
		subject = b.servePage(props, s)
	}
	d := awscloudfront.NewDistribution(b.scope, jsii.String("PageDistribution"), props)
	fixID(d, "PageDistribution")
	except(d, subject)
	return d
}

// servePage adds to a distribution what the web app needs, and returns the distribution's
// exceptions.
func (b *builder) servePage(props *awscloudfront.DistributionProps, s sockets) subject {
	props.Comment = jsii.String(Name(b.Config) + ", the web app")
	props.DefaultRootObject = jsii.String(indexFile)
	props.DefaultBehavior.ResponseHeadersPolicy = b.pageHeaders(s)
	// The bucket refuses what it does not have, because CloudFront may not list it.
	props.ErrorResponses = &[]*awscloudfront.ErrorResponse{{
		HttpStatus: jsii.Number(http.StatusForbidden), ResponseHttpStatus: jsii.Number(http.StatusNotFound),
		ResponsePagePath: jsii.String("/" + missingFile),
	}}
	name := b.Config.Page.Name
	if name == "" {
		return aPage
	}
	props.DomainNames = jsii.Strings(name)
	props.Certificate = awscertificatemanager.Certificate_FromCertificateArn(
		b.scope, jsii.String("PageCertificate"), jsii.String(b.Config.Page.Certificate),
	)
	props.MinimumProtocolVersion = awscloudfront.SecurityPolicyProtocol_TLS_V1_2_2021
	return aNamedPage
}

// pageAccess lets CloudFront sign its reads of the bucket.
func (b *builder) pageAccess() awscloudfront.S3OriginAccessControl {
	access := awscloudfront.NewS3OriginAccessControl(b.scope, jsii.String("PageAccess"),
		&awscloudfront.S3OriginAccessControlProps{
			OriginAccessControlName: b.pageName(), Signing: awscloudfront.Signing_SIGV4_ALWAYS(),
		})
	fixID(access, "PageAccess")
	return access
}

// pageName returns the name of the page's parts. It must be unique in the account for CloudFront,
// even if the same stack exists in another Region.
func (b *builder) pageName() *string {
	return jsii.String(Name(b.Config) + "-page-" + *b.scope.Region())
}

// pageHeaders creates the headers of every answer. The files are the same for everyone, so pages
// of every origin may read them, to import the client.
func (b *builder) pageHeaders(s sockets) awscloudfront.ResponseHeadersPolicy {
	everyone := jsii.Strings("*")
	policy := awscloudfront.NewResponseHeadersPolicy(b.scope, jsii.String("PageHeaders"),
		&awscloudfront.ResponseHeadersPolicyProps{
			ResponseHeadersPolicyName: b.pageName(),
			CorsBehavior: &awscloudfront.ResponseHeadersCorsBehavior{
				AccessControlAllowOrigins: everyone, AccessControlAllowHeaders: everyone,
				AccessControlAllowMethods:     jsii.Strings("GET", "HEAD"),
				AccessControlAllowCredentials: jsii.Bool(false), OriginOverride: jsii.Bool(true),
			},
			SecurityHeadersBehavior: &awscloudfront.ResponseSecurityHeadersBehavior{
				ContentSecurityPolicy: &awscloudfront.ResponseHeadersContentSecurityPolicy{
					ContentSecurityPolicy: jsii.String(b.pagePolicy(s)), Override: jsii.Bool(true),
				},
				ContentTypeOptions: &awscloudfront.ResponseHeadersContentTypeOptions{Override: jsii.Bool(true)},
				ReferrerPolicy: &awscloudfront.ResponseHeadersReferrerPolicy{
					ReferrerPolicy: awscloudfront.HeadersReferrerPolicy_NO_REFERRER, Override: jsii.Bool(true),
				},
				StrictTransportSecurity: &awscloudfront.ResponseHeadersStrictTransportSecurity{
					AccessControlMaxAge: awscdk.Duration_Days(jsii.Number(hstsDays)), Override: jsii.Bool(true),
				},
			},
			CustomHeadersBehavior: &awscloudfront.ResponseCustomHeadersBehavior{
				CustomHeaders: &[]*awscloudfront.ResponseCustomHeader{
					{
						Header: jsii.String("Cross-Origin-Opener-Policy"), Value: jsii.String(shared.PageOpener),
						Override: jsii.Bool(true),
					},
					{
						Header: jsii.String("Permissions-Policy"), Value: jsii.String(shared.PagePermissions),
						Override: jsii.Bool(true),
					},
				},
			},
		})
	fixID(policy, "PageHeaders")
	return policy
}

// pagePolicy returns the page's Content-Security-Policy. It allows the stack's own addresses, and
// all buckets of the Region. For an API without the team's own name, it allows all HTTP APIs of the
// Region.
func (b *builder) pagePolicy(s sockets) string {
	region := "." + *b.scope.Region() + "." + *b.scope.UrlSuffix()
	p := b.surroundings("https://*.execute-api"+region, s, "")
	p.Files = "https://*.s3" + region
	return p.Policy()
}

// surroundings returns the page's view of this stack, except its files: the API, at the given
// address unless the team named it, live delivery, and how people sign in with a client.
func (b *builder) surroundings(api string, s sockets, client string) shared.Page {
	p := shared.Page{
		API: api, Socket: *s.url(), SignIn: b.pageSignIn(client), AvatarHosts: b.Config.Page.AvatarHosts,
		NotificationsShow: b.Config.Page.NotificationsShow,
	}
	if d := b.Config.API.Domain; d.Name != "" {
		p.API = "https://" + d.Name
		if d.Socket != "" {
			p.Socket = "wss://" + d.Socket + "/" + socketStage
		}
	}
	p.Docs = p.API + "/docs"
	return p
}

// pageSignIn returns how people sign in to the page with a client of the stack's own pool, or with
// an issuer of the team's.
func (b *builder) pageSignIn(client string) shared.PageSignIn {
	in := b.Config.Page.SignIn
	if !b.Config.Tokens.OwnPool() {
		return shared.PageSignIn{
			Kind: shared.SignInOIDC, Authorize: in.Authorize, Token: in.Token, Logout: in.Logout, Revoke: in.Revoke,
			Client: in.Client, Scope: in.Scope,
		}
	}
	pages := "https://" + b.Config.Pool.Pages.Prefix + ".auth." + *b.scope.Region() + ".amazoncognito.com"
	return shared.PageSignIn{
		Kind: shared.SignInOIDC, Authorize: pages + "/oauth2/authorize", Token: pages + "/oauth2/token",
		Logout: pages + "/logout", Revoke: pages + "/oauth2/revoke", Client: client, Scope: in.Scope,
	}
}

// origins returns the pages that may call the API: the configured ones, and the web app.
func (b *builder) origins(p *page) []string {
	if p == nil {
		return b.Config.API.Origins
	}
	return append([]string{p.origin}, b.Config.API.Origins...)
}

// pageAddresses returns the addresses to which Cognito's pages send a user, including the web
// app's.
func pageAddresses(p *page, configured []string) *[]*string {
	if p == nil {
		return jsii.Strings(configured...)
	}
	all := []string{p.origin + "/"}
	for _, address := range configured {
		if address != all[0] {
			all = append(all, address)
		}
	}
	return jsii.Strings(all...)
}
