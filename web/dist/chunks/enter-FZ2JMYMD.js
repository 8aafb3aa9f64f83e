import{a,b,c,d,e,f}from"./chunk-EWVHDD6Q.js";import"./chunk-ABU6C23B.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
