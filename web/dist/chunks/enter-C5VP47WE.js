import{a,b,c,d,e,f}from"./chunk-6F32WRVT.js";import"./chunk-I4GJ55JS.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
