import{a,b,c,d,e,f}from"./chunk-5JF7NEI2.js";import"./chunk-OCQXFPFW.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
