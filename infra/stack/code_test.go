package stack_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
)

// module is the prefix of our own packages.
const module = "example.com/parley/"

// code is our source with resolved names, for questions about calls. Packages of others are left
// empty. Their names stay unresolved, which does no harm here and avoids reading the whole SDK.
type code struct {
	fset     *token.FileSet
	packages map[string]*types.Package
	failed   []error // our packages that could not be read
	info     *types.Info
	bodies   map[*types.Func]*ast.FuncDecl
}

// load reads packages, by their path below the module, with all their imports.
func load(paths ...string) (*code, error) {
	c := &code{
		fset:     token.NewFileSet(),
		packages: map[string]*types.Package{},
		info:     &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}},
		bodies:   map[*types.Func]*ast.FuncDecl{},
	}
	for _, p := range paths {
		_, _ = c.Import(module + p) // failures are in c.failed
	}
	return c, errors.Join(c.failed...)
}

// Import implements types.Importer for the type checker.
func (c *code) Import(name string) (*types.Package, error) {
	if p, ok := c.packages[name]; ok {
		return p, nil
	}
	if !strings.HasPrefix(name, module) {
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		c.packages[name] = p
		return p, nil
	}
	p, err := c.check(name)
	if err != nil {
		c.failed = append(c.failed, err)
	}
	return p, err
}

func (c *code) check(name string) (*types.Package, error) {
	files, err := c.parse(filepath.Join(root, strings.TrimPrefix(name, module)))
	if err != nil {
		return nil, fmt.Errorf("read package %s: %w", name, err)
	}
	// Errors are expected, for names of the packages that are left empty.
	conf := types.Config{Importer: c, Error: func(error) {}}
	p, _ := conf.Check(name, c.fset, files, c.info)
	c.packages[name] = p
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				c.bodies[c.info.Defs[d.Name].(*types.Func)] = d
			}
		}
	}
	return p, nil
}

func (c *code) parse(dir string) ([]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(c.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Go files in %s", dir)
	}
	return files, nil
}

// find returns a function or method by its name, such as "functions/write.main" or
// "internal/dynamo.Store.Room", or nil.
func (c *code) find(dir, name string) *types.Func {
	p := c.packages[module+dir]
	typeName, method, isMethod := strings.Cut(name, ".")
	object := p.Scope().Lookup(typeName)
	if isMethod && object != nil {
		object, _, _ = types.LookupFieldOrMethod(types.NewPointer(object.Type()), true, p, method)
	}
	f, _ := object.(*types.Func)
	return f
}

// call is one of our functions, and the store for which it is called. The store's helpers serve the
// table and the activity log.
type call struct {
	f  *types.Func
	on string // "table" or "activity"; "" outside of a store
}

// body is the body of a call.
type body struct {
	*ast.FuncDecl
	on string
}

// route decides where calls lead.
type route struct {
	resolve func(*types.Func) *types.Func    // returns what a call through an interface reaches, or nil
	on      func(*types.Func, string) string // returns the store of a function that one of another store calls
	stop    func(*ast.FuncDecl) bool         // reports whether a function is not entered
}

// reach returns all our functions that may be called from the roots.
func (c *code) reach(roots []*types.Func, r route) []body {
	var reached []body
	var calls []call
	for _, f := range roots {
		calls = append(calls, call{f: f})
	}
	seen := map[call]bool{}
	for len(calls) > 0 {
		next := calls[len(calls)-1]
		calls = calls[:len(calls)-1]
		if other := r.resolve(next.f); other != nil {
			next.f = other
		}
		next = call{next.f.Origin(), r.on(next.f, next.on)}
		decl := c.bodies[next.f]
		if seen[next] || decl == nil || r.stop(decl) {
			continue
		}
		seen[next] = true
		reached = append(reached, body{decl, next.on})
		for _, object := range c.uses(decl) {
			if g, ok := object.(*types.Func); ok {
				calls = append(calls, call{g, next.on})
			}
		}
	}
	return reached
}

// uses returns the objects of the names in a body.
func (c *code) uses(body *ast.FuncDecl) []types.Object {
	var objects []types.Object
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.info.Uses[id] != nil {
			objects = append(objects, c.info.Uses[id])
		}
		return true
	})
	return objects
}

// constants returns the values of the string constants that a body names or contains.
func (c *code) constants(body *ast.FuncDecl) []string {
	var values []string
	for _, object := range c.uses(body) {
		if k, ok := object.(*types.Const); ok && k.Val().Kind() == constant.String {
			values = append(values, constant.StringVal(k.Val()))
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			values = append(values, constant.StringVal(constant.MakeFromLiteral(l.Value, token.STRING, 0)))
		}
		return true
	})
	return values
}
