package stack_test

import "slices"

const (
	typeDomainName = "AWS::ApiGatewayV2::DomainName"
	typeAPIMapping = "AWS::ApiGatewayV2::ApiMapping"
)

// apiURL returns the address of the API, which is AWS's unless that is switched off.
func (i *inspection) apiURL() string {
	if d := i.config.API.Domain; d.Only {
		return "https://" + d.Name
	}
	return "${Api.ApiEndpoint}"
}

// checkDomain checks that the API answers under the configured name, and under no other.
func checkDomain(i *inspection) {
	d := i.config.API.Domain
	i.expect(i.Resources["Api"].get("DisableExecuteApiEndpoint") == map[bool]any{true: true}[d.Only], "AWS's address of the API is on or off against the setting")
	i.expect(render(get(i.Outputs["ApiUrl"], "Value")) == i.apiURL(), "clients are sent to %s", render(i.Outputs["ApiUrl"]))
	if d.Name == "" {
		i.sameSet("name", append(i.ids(typeDomainName), i.ids(typeAPIMapping)...), nil)
		return
	}
	names, mappings := []string{"Domain"}, []string{"DomainMapping"}
	i.checkName("Domain", d.Name, d.Certificate)
	i.checkMapping("DomainMapping", "${Domain}", "${Api}", "$default", nil, "Stage")
	if d.Socket != "" {
		names, mappings = append(names, "SocketDomain"), append(mappings, "SocketDomainMapping")
		i.checkName("SocketDomain", d.Socket, d.Certificate)
		i.expect(i.before("SocketDomain")["Domain"], "both names may be created together, of which API Gateway refuses one")
		i.checkMapping("SocketDomainMapping", "${SocketDomain}", "${SocketApi}", "ws", "ws", "SocketStage")
	}
	i.sameSet("name", i.ids(typeDomainName), names)
	i.sameSet("mapping of a name", i.ids(typeAPIMapping), mappings)
}

// checkName checks that a name is served safely, and that its target has an output.
func (i *inspection) checkName(id, host, certificate string) {
	name := i.Resources[id]
	i.expect(name.text("DomainName") == host, "the name is %q", name.text("DomainName"))
	endpoint := name.get("DomainNameConfigurations", "0")
	i.expect(get(endpoint, "CertificateArn") == certificate, "the certificate is %v", get(endpoint, "CertificateArn"))
	i.expect(get(endpoint, "EndpointType") == "REGIONAL", "the name is %v", get(endpoint, "EndpointType"))
	i.expect(get(endpoint, "SecurityPolicy") == "TLS_1_2", "old versions of TLS are accepted")
	for _, output := range []string{id + "Target", id + "Zone"} {
		i.expect(i.Outputs[output] != nil, "the target of the name has no output %s", output)
	}
}

// checkMapping checks that a name leads to a stage of an API, below a path or, with nil, below none.
func (i *inspection) checkMapping(id, name, api, stage string, path any, after string) {
	mapping := i.Resources[id]
	i.expect(render(mapping.get("DomainName")) == name && render(mapping.get("ApiId")) == api && mapping.text("Stage") == stage,
		"the name leads to %q of %s", mapping.text("Stage"), render(mapping.get("ApiId")))
	i.expect(slices.Contains(list(mapping.DependsOn), any(after)), "the name leads to a stage that may not be there yet")
	i.expect(mapping.get("ApiMappingKey") == path, "the API is below %v of the name", mapping.get("ApiMappingKey"))
}

// domainFaults point the name elsewhere, or weaken it.
func domainFaults(d deployment) []change {
	if d.config.API.Domain.Name == "" {
		return []change{
			{"a name that is not configured", func(t template) { t.Resources["Domain"] = resource{Type: typeDomainName} }},
			{"an API without an address", set("Api", "DisableExecuteApiEndpoint", true)},
		}
	}
	endpoint := func(key string, value any) func(template) {
		return func(t template) {
			get(t.Resources["Domain"].get("DomainNameConfigurations"), "0").(map[string]any)[key] = value
		}
	}
	return []change{
		{"AWS's address in addition to the only name", func(t template) { delete(t.Resources["Api"].Properties, "DisableExecuteApiEndpoint") }},
		{"AWS's address in the output", func(t template) {
			t.Outputs["ApiUrl"].(map[string]any)["Value"] = map[string]any{"Fn::GetAtt": []any{"Api", "ApiEndpoint"}}
		}},
		{"two names together", independent("SocketDomain")},
		{"another name", set("Domain", "DomainName", "other.example.com")},
		{"another certificate", endpoint("CertificateArn", "arn:aws:acm:eu-west-1:123456789012:certificate/other")},
		{"an old TLS", endpoint("SecurityPolicy", "TLS_1_0")},
		{"a name at the edge", endpoint("EndpointType", "EDGE")},
		{"a name for another stage", set("DomainMapping", "Stage", "test")},
		{"a name for another API", set("DomainMapping", "ApiId", "other")},
		{"a name before its stage", func(t template) {
			r := t.Resources["DomainMapping"]
			r.DependsOn = nil
			t.Resources["DomainMapping"] = r
		}},
		{"an API below a path", set("DomainMapping", "ApiMappingKey", "v1")},
		{"a socket name for the API", set("SocketDomainMapping", "ApiId", map[string]any{"Ref": "Api"})},
		{"live delivery at the root of its name", set("SocketDomainMapping", "ApiMappingKey", nil)},
		{"another socket name", set("SocketDomain", "DomainName", "other.example.com")},
	}
}
