package style

import (
	"go/ast"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// symbols are the names that a package declares, with a capital first letter: functions, types,
// methods, fields, constants and variables.
type symbols map[string]bool

// add puts in every name that a file declares, but for its tests.
func (all symbols) add(file *ast.File) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if _, isTest := testName(decl); !isTest {
				all.put(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				all.addSpec(spec)
			}
		}
	}
}

func (all symbols) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		all.put(spec.Names...)
	case *ast.TypeSpec:
		all.put(spec.Name)
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				all.addFields(n.Fields)
			case *ast.InterfaceType:
				all.addFields(n.Methods)
			}
			return true
		})
	}
}

func (all symbols) addFields(fields *ast.FieldList) {
	for _, field := range fields.List {
		all.put(field.Names...)
	}
}

func (all symbols) put(names ...*ast.Ident) {
	for _, name := range names {
		// A name of one letter would be found in front of any test that begins with that word.
		if len(name.Name) > 1 {
			all[capital(name.Name)] = true
		}
	}
}

// lead reports whether a test's name, without "Test", begins with one of the symbols: up to an
// underscore, or up to a capital letter or a digit.
func (all symbols) lead(name string) bool {
	for i := range name + "_" {
		if i < 2 || i < len(name) && !endsWord(name, i) {
			continue
		}
		if all[capital(name[:i])] {
			return true
		}
	}
	return false
}

// endsWord reports whether a word of a name may end before byte i.
func endsWord(name string, i int) bool {
	next, _ := utf8.DecodeRuneInString(name[i:])
	return next == '_' || unicode.IsUpper(next) || unicode.IsDigit(next)
}

func capital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// testName returns the name of a test without "Test". TestMain is none.
func testName(decl *ast.FuncDecl) (string, bool) {
	name, ok := strings.CutPrefix(decl.Name.Name, "Test")
	if !ok || decl.Recv != nil || name == "Main" || decl.Type.Params.NumFields() != 1 {
		return "", false
	}
	first, _ := utf8.DecodeRuneInString(name)
	return name, !unicode.IsLower(first)
}

// subjects returns the symbols that the tests of a package may begin with: those that the package
// declares. A package that has only tests stands for what it tests: its own helpers, the names
// and symbols of the packages that it imports, and of the commands in the folders below it.
func subjects(dir string, module map[string][]source) symbols {
	all := symbols{}
	for _, s := range module[dir] {
		if !s.test {
			all.add(s.file)
		}
	}
	if len(all) > 0 {
		return all
	}
	tested := map[string]bool{}
	for _, s := range module[dir] {
		all.add(s.file)
		for _, spec := range s.file.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasPrefix(name, "parley/") {
				tested[strings.TrimPrefix(name, "parley/")] = true
			}
		}
	}
	for other := range module {
		if strings.HasPrefix(other, dir+"/") {
			tested[other] = true
		}
	}
	for other := range tested {
		all[capital(path.Base(other))] = true
		for _, s := range module[other] {
			if !s.test {
				all.add(s.file)
			}
		}
	}
	return all
}

// unnamedTests returns the tests of a package that do not begin with a symbol, and the number of
// all its tests.
func unnamedTests(files []source, all symbols) (unnamed []string, count int) {
	for _, s := range files {
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !s.test {
				continue
			}
			name, ok := testName(f)
			if !ok {
				continue
			}
			count++
			if !all.lead(name) {
				unnamed = append(unnamed, s.at(f.Name.Pos())+": Test"+name)
			}
		}
	}
	return unnamed, count
}
