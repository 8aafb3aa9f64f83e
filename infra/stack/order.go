package stack

import "github.com/aws/aws-cdk-go/awscdk/v2"

// settle creates a resource after the feed's mapping. A new role, and the address of a new user
// pool, reach other services only some seconds after CloudFormation has created them, and
// CloudFormation does not wait or retry.
//
// The mapping exists in every environment. It follows a table, a role and a function, each of
// which takes 10 to 30 seconds. So it is complete about a minute after the role and the pool,
// which wait for nothing.
func (b *builder) settle(r awscdk.CfnResource) { r.AddResourceDependency(b.last, nil) }
