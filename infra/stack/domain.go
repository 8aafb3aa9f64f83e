package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/jsii-runtime-go"
)

// domain serves the API under the team's own name, if one is stated. It costs nothing. The DNS
// record is not part of the stack: it can be with any provider, and it outlives the stack.
func (b *builder) domain(api awsapigatewayv2.HttpApi, stage awsapigatewayv2.HttpStage) {
	d := b.Config.API.Domain
	if d.Name == "" {
		return
	}
	name := b.domainName("Domain", d.Name, d.Certificate)
	mapping := awsapigatewayv2.NewApiMapping(b.scope, jsii.String("DomainMapping"), &awsapigatewayv2.ApiMappingProps{
		Api: api, DomainName: name, Stage: stage,
	})
	fixID(mapping, "DomainMapping")
	b.domainOutputs("Domain", name)
}

// apiURL returns the address of the API: AWS's, or the team's own if AWS's is switched off.
func (b *builder) apiURL(api awsapigatewayv2.HttpApi) *string {
	if d := b.Config.API.Domain; d.Only {
		return jsii.String("https://" + d.Name)
	}
	return api.ApiEndpoint()
}

// domainName creates a name that API Gateway serves.
func (b *builder) domainName(id, host, certificate string) awsapigatewayv2.DomainName {
	name := awsapigatewayv2.NewDomainName(b.scope, jsii.String(id), &awsapigatewayv2.DomainNameProps{
		DomainName: jsii.String(host),
		Certificate: awscertificatemanager.Certificate_FromCertificateArn(
			b.scope, jsii.String(id+"Certificate"), jsii.String(certificate),
		),
		EndpointType:   awsapigatewayv2.EndpointType_REGIONAL,
		SecurityPolicy: awsapigatewayv2.SecurityPolicy_TLS_1_2,
	})
	fixID(name, id)
	return name
}

func (b *builder) domainOutputs(id string, name awsapigatewayv2.DomainName) {
	b.output(id+"Target", name.RegionalDomainName(), "The target of the domain: by a CNAME, or an alias in Route 53")
	b.output(id+"Zone", name.RegionalHostedZoneId(), "The hosted zone of "+id+"Target, for an alias in Route 53")
}

// socketDomain serves the WebSocket API under a name of its own, if one is stated, with the path
// that it has everywhere. API Gateway does not map one name to an HTTP API and to a WebSocket API.
func (b *builder) socketDomain(api awsapigatewayv2.WebSocketApi, stage awsapigatewayv2.WebSocketStage) {
	d := b.Config.API.Domain
	if d.Socket == "" {
		return
	}
	name := b.domainName("SocketDomain", d.Socket, d.Certificate)
	// API Gateway needs 30 seconds to create a name, and refuses others meanwhile.
	name.Node().AddDependency(b.scope.Node().FindChild(jsii.String("Domain")))
	mapping := awsapigatewayv2.NewApiMapping(b.scope, jsii.String("SocketDomainMapping"),
		&awsapigatewayv2.ApiMappingProps{
			Api: api, DomainName: name, Stage: stage, ApiMappingKey: jsii.String(socketStage),
		})
	fixID(mapping, "SocketDomainMapping")
	b.domainOutputs("SocketDomain", name)
}
