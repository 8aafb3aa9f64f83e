import{a,b,c,d,e,f}from"./chunk-5RL4AC5K.js";import"./chunk-BJQVV2QZ.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
