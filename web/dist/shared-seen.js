function c(n,t,r=0){let e=new IntersectionObserver(s=>{s.some(o=>o.isIntersecting)&&(e.disconnect(),t())},{rootMargin:`${r}px`});return e.observe(n),()=>e.disconnect()}export{c as a};
