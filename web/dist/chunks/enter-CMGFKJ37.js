import{a,b,c,d,e,f}from"./chunk-KQVZKL6N.js";import"./chunk-XVHGVLMD.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
