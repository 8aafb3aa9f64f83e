package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/jsii-runtime-go"
)

// signInPages creates Cognito's own pages, if they are configured. They cost nothing. They are
// removed with the stack: the next stack can use their address, and the users are in the pool.
func (b *builder) signInPages(pool awscognito.UserPool) {
	prefix := b.Config.Pool.Pages.Prefix
	if prefix == "" {
		return
	}
	domain := pool.AddDomain(jsii.String("SignInPages"), &awscognito.UserPoolDomainOptions{
		CognitoDomain: &awscognito.CognitoDomainOptions{DomainPrefix: jsii.String(prefix)},
	})
	fixID(domain, "SignInPages")
	b.output("SignInUrl", domain.BaseUrl(nil), "The pages on which users sign in, at /oauth2/authorize")
}

// pagesOAuth lets the pages issue a code, which an app exchanges for tokens. A token in an address
// (the implicit grant) would remain in the browser's history.
func (b *builder) pagesOAuth() *awscognito.OAuthSettings {
	pages := b.Config.Pool.Pages
	if pages.Prefix == "" {
		return nil
	}
	return &awscognito.OAuthSettings{
		Flows:        &awscognito.OAuthFlows{AuthorizationCodeGrant: jsii.Bool(true)},
		Scopes:       &[]awscognito.OAuthScope{awscognito.OAuthScope_OPENID(), awscognito.OAuthScope_EMAIL(), awscognito.OAuthScope_PROFILE()},
		CallbackUrls: jsii.Strings(pages.Callbacks...),
		LogoutUrls:   jsii.Strings(pages.Logouts...),
	}
}
