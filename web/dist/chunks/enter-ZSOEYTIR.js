import{a,b,c,d,e,f}from"./chunk-42ZFNUWN.js";import"./chunk-TNRVL4EM.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
